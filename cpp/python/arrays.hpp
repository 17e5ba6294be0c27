// NumPy arrays made and looked at through NumPy's C API.
#pragma once

#include "../program.hpp"
#include "numpy_api.hpp"

namespace restride::python {

struct Shape {
    npy_intp extents[NPY_MAXDIMS];
    int rank;
    npy_intp elements;
};

// Bytes an array may touch: [lo, hi).
struct Extent {
    const u8* lo;
    const u8* hi;
};

// False, with a Python error set, where memory is short.
bool make_handler();

// From a tuple of ints; false, with a Python error set, where it is none.
bool read_shape(PyObject* tuple, Shape& shape);

// A C-ordered array over a buffer of the pool, which it gives back when it dies; a new
// reference, or null with a Python error set.
PyObject* fresh(const Shape& shape, PyArray_Descr* descr);

Extent extent_of(PyArrayObject* array);

inline u8* data_of(PyArrayObject* array) { return static_cast<u8*>(PyArray_DATA(array)); }

// Runs `act` without the GIL where it moves enough bytes to be worth the switch.
template <class Act>
void without_gil(npy_intp bytes, Act&& act) {
    // Below this a switch of the GIL costs more than the copy.
    constexpr npy_intp kHoldBytes = 16 << 10;
    if (bytes < kHoldBytes) return act();
    PyThreadState* state = PyEval_SaveThread();
    act();
    PyEval_RestoreThread(state);
}

}  // namespace restride::python
