#include "bound.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "../copy.hpp"

namespace restride::python {
namespace {

// A result of at most this many elements is kept as a list of them: making the walk
// ready would take longer than the walk.
constexpr i64 kSmall = 128;

// The piece that holds position `i` of an axis; `i` becomes its position inside.
const Piece& piece_at(const Axis& axis, i64& i) {
    const Piece* piece = axis.pieces;
    for (; i >= piece->count; ++piece) i -= piece->count;
    return *piece;
}

template <class Cell, std::size_t Size>
void move_cells(const std::vector<Cell>& cells, u8* result, const u8* source) {
    for (const Cell& cell : cells) std::memcpy(result + cell.to, source + cell.from, Size);
}

template <class Cell>
void move_any(const std::vector<Cell>& cells, u8* result, const u8* source, i64 size) {
    switch (size) {
        case 1: return move_cells<Cell, 1>(cells, result, source);
        case 2: return move_cells<Cell, 2>(cells, result, source);
        case 4: return move_cells<Cell, 4>(cells, result, source);
        case 8: return move_cells<Cell, 8>(cells, result, source);
        case 16: return move_cells<Cell, 16>(cells, result, source);
    }
    for (const Cell& cell : cells)
        std::memcpy(result + cell.to, source + cell.from, static_cast<std::size_t>(size));
}

}  // namespace

bool apart(PyArrayObject* a, PyArrayObject* b) {
    const Extent x = extent_of(a), y = extent_of(b);
    return x.hi <= y.lo || y.hi <= x.lo;
}

Bound::Bound(PyObject* told, const Shape& shape, PyArray_Descr* descr)
    : shape_(shape), descr_(descr) {
    if (!kept_.read(told)) {
        PyErr_Clear();
        throw std::runtime_error("the program is malformed");
    }
    itemsize_ = kept_.program().itemsize;
    bytes_ = kept_.program().elements() * itemsize_;
    if (bytes_ > shape.elements * PyDataType_ELSIZE(descr))
        throw std::runtime_error("the program writes more bytes than the shape holds");
    if (kept_.program().elements() <= kSmall) list_cells();
    Py_INCREF(descr_);
}

Bound::~Bound() { Py_DECREF(descr_); }

void Bound::list_cells() {
    const Program& program = kept_.program();
    const i64 n = program.elements();
    for (i64 k = 0; k < n; ++k) {
        i64 to = program.result_offset, from = program.source_offset, rest = k;
        i64 fill = program.background;
        for (int a = program.rank - 1; a >= 0; --a) {
            const Axis& axis = program.axes[a];
            i64 i = rest % axis.extent;
            rest /= axis.extent;
            to += i * axis.stride;
            const Piece& piece = piece_at(axis, i);
            fill = std::max(fill, piece.fill);
            from += piece.offset + i * piece.step;
        }
        from = fill < 0 ? from : fill * program.itemsize;
        const Cell cell{static_cast<std::int32_t>(to), static_cast<std::int32_t>(from)};
        if (cell.to != to || cell.from != from) return;  // too far apart for the list
        (fill < 0 ? copied_ : filled_).push_back(cell);
    }
    small_ = true;
}

PyObject* Bound::make(PyArrayObject* source) const {
    PyObject* made = fresh(shape_, descr_);
    if (made) run(reinterpret_cast<PyArrayObject*>(made), source);
    return made;
}

bool Bound::fits(PyArrayObject* result, PyArrayObject* source) const {
    return PyArray_DESCR(result) == descr_ && PyArray_NDIM(result) == shape_.rank &&
           std::equal(shape_.extents, shape_.extents + shape_.rank, PyArray_DIMS(result)) &&
           PyArray_IS_C_CONTIGUOUS(result) && PyArray_ISWRITEABLE(result) &&
           apart(result, source);
}

void Bound::run(PyArrayObject* result, PyArrayObject* source) const {
    if (small_) return run_cells(data_of(result), data_of(source));
    Arena arena;
    Program program = kept_.program();
    without_gil(bytes_, [&] { copy(data_of(result), data_of(source), program, arena); });
}

void Bound::run_cells(u8* result, const u8* source) const {
    move_any(copied_, result, source, itemsize_);
    if (!filled_.empty()) move_any(filled_, result, kept_.program().fills, itemsize_);
}

}  // namespace restride::python
