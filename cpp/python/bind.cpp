#include "bind.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <vector>

namespace restride::python {
namespace {

// Where in its tuple a map keeps what is read here.
enum MapField { kSourceShape, kShape, kAxes, kBase, kFills, kBackground };

// Thrown where a Python error is set.
struct Refused {};

[[noreturn]] void refuse(PyObject* kind, const char* what) {
    PyErr_SetString(kind, what);
    throw Refused{};
}

PyObject* made(PyObject* object) {
    if (!object) throw Refused{};
    return object;
}

// A reference that is given back.
class Owned {
public:
    explicit Owned(PyObject* object) : object_(made(object)) {}
    ~Owned() { Py_XDECREF(object_); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    PyObject* get() const { return object_; }
    PyObject* release() {
        PyObject* object = object_;
        object_ = nullptr;
        return object;
    }

private:
    PyObject* object_;
};

Py_ssize_t length(PyObject* tuple) {
    if (!PyTuple_Check(tuple)) refuse(PyExc_TypeError, "a move must be tuples");
    return PyTuple_GET_SIZE(tuple);
}

PyObject* item(PyObject* tuple, Py_ssize_t k) {
    if (k < 0 || k >= length(tuple)) refuse(PyExc_ValueError, "a move lacks an item");
    return PyTuple_GET_ITEM(tuple, k);
}

i64 number(PyObject* value) {
    const i64 n = PyLong_AsLongLong(value);
    if (n == -1 && PyErr_Occurred()) throw Refused{};
    return n;
}

i64 number(PyObject* tuple, Py_ssize_t k) { return number(item(tuple, k)); }

// The number of a constant, or -1 for None.
i64 fill_number(PyObject* value) { return value == Py_None ? -1 : number(value); }

i64 times(i64 a, i64 b) {
    i64 product;
    if (__builtin_mul_overflow(a, b, &product))
        refuse(PyExc_OverflowError, "a position is too big for 64 bits of bytes");
    return product;
}

i64 plus(i64 a, i64 b) {
    i64 sum;
    if (__builtin_add_overflow(a, b, &sum))
        refuse(PyExc_OverflowError, "a position is too big for 64 bits of bytes");
    return sum;
}

// How far a step leads, either way.
i64 distance(i64 step) { return step == INT64_MIN ? INT64_MAX : std::abs(step); }

// Bytes between neighbours along each axis of an array.
class Strides {
public:
    // From a tuple; None: of rows of `shape` that follow each other.
    Strides(PyObject* told, PyObject* shape, i64 itemsize) {
        rank_ = length(told == Py_None ? shape : told);
        if (rank_ > kMaxRank) refuse(PyExc_ValueError, "the rank is not in 0..64");
        for (Py_ssize_t k = rank_ - 1; k >= 0; --k) {
            bytes_[k] = told == Py_None ? itemsize : number(told, k);
            if (told == Py_None) itemsize = times(itemsize, number(shape, k));
        }
    }

    i64 at(i64 axis) const {
        if (axis < 0 || axis >= rank_) refuse(PyExc_ValueError, "an axis has no stride");
        return bytes_[axis];
    }

    // Of what the result axis walks; 0 where that is none.
    i64 of(PyObject* axis) const {
        PyObject* source = item(axis, 0);
        return source == Py_None ? 0 : at(number(source));
    }

    i64 start(PyObject* base) const {
        i64 start = 0;
        for (Py_ssize_t k = 0; k < length(base); ++k)
            start = plus(start, times(number(base, k), at(k)));
        return start;
    }

private:
    Py_ssize_t rank_;
    i64 bytes_[kMaxRank];
};

// The pieces along an axis of a map.
PyObject* pieces_of(PyObject* axis) { return item(item(axis, 1), 0); }

Piece read_piece(PyObject* told) {
    return {number(told, 0), number(told, 1), number(told, 2), fill_number(item(told, 3))};
}

// A long run gets back the element before it, where the shorter one took that.
void align(Piece& shorter, Piece& longer) {
    if (shorter.count <= 1 || shorter.count >= longer.count) return;
    if (shorter.fill >= 0 || longer.fill >= 0) return;
    const i64 last = plus(shorter.offset, times(shorter.count - 1, shorter.step));
    if (plus(last, longer.step) != longer.offset) return;
    --shorter.count;
    if (shorter.count == 1) shorter.step = 0;
    ++longer.count;
    longer.offset = last;
}

class Binding {
public:
    Binding(PyObject* move, i64 itemsize, PyObject* source_strides, PyObject* result_strides);

    // A short innermost row, contiguous on both sides, as one wider element.
    void widen();

    PyObject* tell() const;

private:
    void read_pieces(PyObject* told, i64 stride, Axis& bound);
    void read_target(PyObject* target, const Strides& strides);
    bool pays(i64 size) const { return skips(size) || turns(size); }
    bool skips(i64 size) const;
    bool turns(i64 size) const;

    Program program_{};
    std::vector<Piece> pieces_;
    PyObject* constants_;
    i64 repeats_ = 1;  // of each constant, in an element
};

Binding::Binding(PyObject* move, i64 itemsize, PyObject* source_strides,
                 PyObject* result_strides) {
    PyObject *map = item(move, 0), *target = item(move, 1), *axes = item(map, kAxes);
    const Strides source(source_strides, item(map, kSourceShape), itemsize);
    const Strides result(
        result_strides,
        target == Py_None ? item(map, kShape) : item(target, kSourceShape), itemsize);
    if (length(axes) > kMaxRank) refuse(PyExc_ValueError, "the rank is not in 0..64");
    program_.itemsize = itemsize;
    program_.rank = static_cast<int>(length(axes));
    program_.source_offset = source.start(item(map, kBase));
    program_.background = fill_number(item(map, kBackground));
    constants_ = item(map, kFills);
    std::size_t n = 0;
    for (int a = 0; a < program_.rank; ++a)
        n += static_cast<std::size_t>(length(pieces_of(item(axes, a))));
    pieces_.reserve(n);
    for (int a = 0; a < program_.rank; ++a) {
        PyObject* axis = item(axes, a);
        read_pieces(pieces_of(axis), source.of(axis), program_.axes[a]);
        if (target == Py_None) program_.axes[a].stride = result.at(a);
    }
    if (target != Py_None) read_target(target, result);
}

void Binding::read_pieces(PyObject* told, i64 stride, Axis& bound) {
    const std::size_t from = pieces_.size();
    for (Py_ssize_t k = 0; k < length(told); ++k) {
        pieces_.push_back(read_piece(item(told, k)));
        if (k > 0) align(pieces_[pieces_.size() - 2], pieces_.back());
    }
    for (std::size_t k = from; k < pieces_.size(); ++k) {
        Piece& piece = pieces_[k];
        piece.offset = times(piece.offset, stride);
        piece.step = times(piece.step, stride);
    }
    bound = {0, 0, static_cast<i64>(pieces_.size() - from), pieces_.data() + from, nullptr};
}

// The result goes to the cells that `target` names.
void Binding::read_target(PyObject* target, const Strides& strides) {
    PyObject* axes = item(target, kAxes);
    program_.result_offset = strides.start(item(target, kBase));
    for (int a = 0; a < program_.rank; ++a) {
        PyObject* axis = item(axes, a);
        const i64 step = read_piece(item(pieces_of(axis), 0)).step;
        program_.axes[a].stride = times(step, strides.of(axis));
    }
}

void Binding::widen() {
    if (program_.rank < 2) return;
    const i64 one = program_.itemsize;
    const Axis& last = program_.axes[program_.rank - 1];
    if (last.n != 1 || last.stride != one) return;
    const Piece& row = last.pieces[0];
    if (row.fill >= 0 || row.step != one || row.count > 16) return;
    const i64 size = times(one, row.count);
    const bool is_wider = size == 2 || size == 4 || size == 8 || size == 16;
    if (!is_wider && !((size == 3 || size == 6 || size == 12) && pays(size))) return;
    program_.itemsize = size;
    program_.source_offset = plus(program_.source_offset, row.offset);
    --program_.rank;
    repeats_ = row.count;
}

// Whether a row goes backwards, stays or takes every second of elements of `size` bytes.
bool Binding::skips(i64 size) const {
    const Axis& along = program_.axes[program_.rank - 2];
    const i64 ahead = along.stride;
    if (ahead != size && ahead != -size) return false;
    for (i64 k = 0; k < along.n; ++k) {
        const Piece& p = along.pieces[k];
        if (p.fill >= 0 || p.count <= 1) continue;
        if (p.step == -ahead || p.step == 0 || p.step == 2 * ahead) return true;
    }
    return false;
}

// Whether rows of elements of `size` bytes, or some of each, become columns.
bool Binding::turns(i64 size) const {
    constexpr i64 kNear = 64;  // elements no farther apart share the lines a turn reads
    const Axis* along = program_.axes + program_.rank - 2;
    i64 near = kNear + 1;
    for (const Axis* axis = program_.axes; axis < along; ++axis)
        for (i64 k = 0; k < axis->n; ++k) {
            const i64 step = distance(axis->pieces[k].step);
            if (step >= size) near = std::min(near, step);
        }
    if (near > kNear) return false;
    for (i64 k = 0; k < along->n; ++k) {
        const Piece& p = along->pieces[k];
        if (p.fill < 0 && p.count > 1 && distance(p.step) < 2 * near) return false;
    }
    return true;
}

PyObject* tuple_of(std::initializer_list<i64> numbers, std::initializer_list<PyObject*> more) {
    Owned told(PyTuple_New(static_cast<Py_ssize_t>(numbers.size() + more.size())));
    Py_ssize_t k = 0;
    for (i64 one : numbers)
        PyTuple_SET_ITEM(told.get(), k++, made(PyLong_FromLongLong(one)));
    for (PyObject* one : more) PyTuple_SET_ITEM(told.get(), k++, Py_NewRef(one));
    return told.release();
}

PyObject* tell_axis(const Axis& axis) {
    Owned pieces(PyTuple_New(axis.n));
    for (i64 k = 0; k < axis.n; ++k) {
        const Piece& p = axis.pieces[k];
        PyTuple_SET_ITEM(pieces.get(), k, tuple_of({p.count, p.offset, p.step, p.fill}, {}));
    }
    return tuple_of({axis.stride}, {pieces.get()});
}

// The constants as bytes of one element.
PyObject* tell_fills(PyObject* constants, i64 repeats) {
    Owned fills(PyTuple_New(length(constants)));
    for (Py_ssize_t k = 0; k < length(constants); ++k) {
        Owned value(PyObject_GetAttrString(item(constants, k), "value"));
        if (!PyBytes_Check(value.get())) refuse(PyExc_TypeError, "a constant is not bytes");
        PyTuple_SET_ITEM(fills.get(), k, made(PySequence_Repeat(value.get(), repeats)));
    }
    return fills.release();
}

PyObject* Binding::tell() const {
    const Program& p = program_;
    Owned axes(PyTuple_New(p.rank));
    for (int a = 0; a < p.rank; ++a)
        PyTuple_SET_ITEM(axes.get(), a, tell_axis(p.axes[a]));
    Owned fills(tell_fills(constants_, repeats_));
    return tuple_of({p.itemsize, p.source_offset, p.result_offset, p.background},
                    {axes.get(), fills.get()});
}

}  // namespace

PyObject* bind(PyObject* move, i64 itemsize, PyObject* source_strides,
               PyObject* result_strides) {
    try {
        Binding binding(move, itemsize, source_strides, result_strides);
        binding.widen();
        return binding.tell();
    } catch (const Refused&) {
        return nullptr;
    }
}

}  // namespace restride::python
