// Python and NumPy's C API, the same in every file of this folder. The file that
// imports the API defines RESTRIDE_IMPORTS_NUMPY first.
#pragma once

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL restride_numpy_api
#ifndef RESTRIDE_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <numpy/arrayobject.h>
