// An odometer over result axes that knows the source offset and the largest fill.
#pragma once

#include <algorithm>

#include "program.hpp"

namespace restride {

// The longest piece that reads the source; of no count where none does.
inline Piece longest_piece(const Axis& axis) {
    Piece best{0, 0, 0, -1};
    for (i64 k = 0; k < axis.n; ++k) {
        const Piece& p = axis.pieces[k];
        if (p.fill < 0 && p.count > best.count) best = p;
    }
    return best;
}

// Where position `index` of an axis lies: its piece and the place inside it.
struct Place {
    i64 piece, k;
};

inline Place find_place(const Axis& axis, i64 index) {
    i64 piece = 0;
    if (axis.starts) {
        const i64* next = std::upper_bound(axis.starts, axis.starts + axis.n, index);
        piece = next - axis.starts - 1;
        return {piece, index - axis.starts[piece]};
    }
    while (index >= axis.pieces[piece].count) index -= axis.pieces[piece++].count;
    return {piece, index};
}

// Call act(piece, k, count, at) for each part of a piece inside [begin, end) of an
// axis; `at` is the part's first position, counted from `begin`.
template <class Act>
void for_parts(const Axis& axis, i64 begin, i64 end, Act&& act) {
    if (begin >= end) return;
    Place p = find_place(axis, begin);
    for (i64 at = begin; at < end; ++p.piece, p.k = 0) {
        const Piece& piece = axis.pieces[p.piece];
        const i64 count = std::min(piece.count - p.k, end - at);
        act(piece, p.k, count, at - begin);
        at += count;
    }
}

class Odometer {
public:
    // Over the first `rank` axes of the program, standing at row-major `position`.
    Odometer(const Axis* axes, int rank, i64 source, i64 result, i64 fill, i64 position)
        : axes_(axes), rank_(rank), source0_(source), fill0_(fill), result_(result) {
        for (int a = rank - 1; a >= 0; --a) {
            const i64 index = position % axes[a].extent;
            position /= axes[a].extent;
            place_[a] = find_place(axes[a], index);
            result_ += index * axes[a].stride;
        }
        settle(0);
    }

    i64 source() const { return rank_ ? source_[rank_ - 1] : source0_; }
    i64 fill() const { return rank_ ? fill_[rank_ - 1] : fill0_; }
    i64 result() const { return result_; }

    void next() {
        for (int a = rank_ - 1; a >= 0; --a) {
            Place& p = place_[a];
            result_ += axes_[a].stride;
            if (++p.k < axes_[a].pieces[p.piece].count) return settle(a);
            p.k = 0;
            if (++p.piece < axes_[a].n) return settle(a);
            p.piece = 0;
            result_ -= axes_[a].stride * axes_[a].extent;
        }
    }

private:
    void settle(int from) {
        for (int a = from; a < rank_; ++a) {
            const Piece& piece = axes_[a].pieces[place_[a].piece];
            const i64 source = a ? source_[a - 1] : source0_;
            const i64 fill = a ? fill_[a - 1] : fill0_;
            source_[a] = source + piece.offset + place_[a].k * piece.step;
            fill_[a] = std::max(fill, piece.fill);
        }
    }

    const Axis* axes_;
    int rank_;
    i64 source0_, fill0_, result_;
    i64 source_[kMaxRank], fill_[kMaxRank];
    Place place_[kMaxRank];
};

}  // namespace restride
