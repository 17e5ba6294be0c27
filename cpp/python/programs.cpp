#include "programs.hpp"

namespace restride::python {
namespace {

bool wrong(const char* what) {
    PyErr_SetString(PyExc_ValueError, what);
    return false;
}

bool is_tuple(PyObject* value, Py_ssize_t n) {
    if (PyTuple_Check(value) && PyTuple_GET_SIZE(value) == n) return true;
    PyErr_SetString(PyExc_TypeError, "a program must be tuples of ints and bytes");
    return false;
}

bool is_tuple(PyObject* value) {
    return is_tuple(value, PyTuple_Check(value) ? PyTuple_GET_SIZE(value) : 0);
}

bool read_numbers(PyObject* tuple, std::initializer_list<i64*> numbers) {
    Py_ssize_t k = 0;
    for (i64* number : numbers) {
        *number = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, k++));
        if (*number == -1 && PyErr_Occurred()) return false;
    }
    return true;
}

bool count_pieces(PyObject* axes, std::size_t& n) {
    if (!is_tuple(axes)) return false;
    if (PyTuple_GET_SIZE(axes) > kMaxRank) return wrong("the rank is not in 0..64");
    for (Py_ssize_t a = 0; a < PyTuple_GET_SIZE(axes); ++a) {
        PyObject* axis = PyTuple_GET_ITEM(axes, a);
        if (!is_tuple(axis, 2) || !is_tuple(PyTuple_GET_ITEM(axis, 1))) return false;
        n += static_cast<std::size_t>(PyTuple_GET_SIZE(PyTuple_GET_ITEM(axis, 1)));
    }
    return true;
}

}  // namespace

bool Kept::read(PyObject* told) {
    Program& p = program_;
    if (!is_tuple(told, 6) || !read_numbers(told, {&p.itemsize, &p.source_offset,
                                                   &p.result_offset, &p.background}))
        return false;
    if (!read_axes(PyTuple_GET_ITEM(told, 4)) || !read_fills(PyTuple_GET_ITEM(told, 5)))
        return false;
    const char* found = settle(p);
    return !found || wrong(found);
}

bool Kept::read_axes(PyObject* axes) {
    std::size_t n = 0;
    if (!count_pieces(axes, n)) return false;
    pieces_.resize(n);
    Piece* piece = pieces_.data();
    program_.rank = static_cast<int>(PyTuple_GET_SIZE(axes));
    for (int a = 0; a < program_.rank; ++a) {
        PyObject* told = PyTuple_GET_ITEM(axes, a);
        PyObject* pieces = PyTuple_GET_ITEM(told, 1);
        Axis& axis = program_.axes[a];
        axis = {0, 0, PyTuple_GET_SIZE(pieces), piece, nullptr};
        if (!read_numbers(told, {&axis.stride})) return false;
        for (i64 k = 0; k < axis.n; ++k, ++piece) {
            PyObject* one = PyTuple_GET_ITEM(pieces, k);
            if (!is_tuple(one, 4) || !read_numbers(one, {&piece->count, &piece->offset,
                                                         &piece->step, &piece->fill}))
                return false;
        }
    }
    return true;
}

bool Kept::read_fills(PyObject* fills) {
    if (!is_tuple(fills)) return false;
    program_.n_fills = PyTuple_GET_SIZE(fills);
    for (i64 k = 0; k < program_.n_fills; ++k) {
        PyObject* fill = PyTuple_GET_ITEM(fills, k);
        if (!PyBytes_Check(fill) || PyBytes_GET_SIZE(fill) != program_.itemsize)
            return wrong("a fill of the program is not the bytes of one element");
        const char* data = PyBytes_AS_STRING(fill);
        fills_.insert(fills_.end(), data, data + program_.itemsize);
    }
    program_.fills = fills_.data();
    return true;
}

}  // namespace restride::python
