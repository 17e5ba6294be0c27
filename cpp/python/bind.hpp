// A move bound to byte strides: source positions become byte offsets.
#pragma once

#include "../program.hpp"
#include "numpy_api.hpp"

namespace restride::python {

// The program of a move, as the tuples that `Kept` reads: what `engines/bind.py` defines,
// and equal to it. `move` is (map, target, ...), a map (source shape, shape, axes, base,
// fills, background), an axis (source, (pieces, ...)), a piece (count, begin, step, fill).
// A new reference, or null with a Python error set where these are none, name an axis
// that has no stride, or reach bytes beyond 64 bits.
PyObject* bind(PyObject* move, i64 itemsize, PyObject* source_strides,
               PyObject* result_strides);

}  // namespace restride::python
