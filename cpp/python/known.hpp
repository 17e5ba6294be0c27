// Calls that repeat: the type `Known`, a callable that remembers what a call came to.
#pragma once

#include "numpy_api.hpp"

namespace restride::python {

// The type; a new reference, or null with a Python error set.
PyObject* make_known_type();

// False: every call goes to Python. Returns what held before.
bool remember_calls(bool on);

// Calls answered from memory so far.
long long remembered_calls();

// The words of arguments, as bytes, or None where one is of a kind that has none: a new
// reference, or null with a Python error set.
PyObject* words_of(PyObject* args, PyObject* keywords);

}  // namespace restride::python
