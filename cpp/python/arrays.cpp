#include "arrays.hpp"

#include "../pool.hpp"

namespace restride::python {
namespace {

// NumPy's data-memory handler (NEP 49): results own their data like any other array
// and remember who takes it back.
void* handler_malloc(void*, size_t bytes) { return pool::take(bytes); }
void* handler_calloc(void*, size_t n, size_t each) {
    return pool::take_zeroed(n * each);
}
void* handler_realloc(void*, void* data, size_t bytes) {
    return pool::resize(data, bytes);
}
void handler_free(void*, void* data, size_t) { pool::give(data); }

PyDataMem_Handler handler = {
    "restride_pool", 1,
    {nullptr, handler_malloc, handler_calloc, handler_realloc, handler_free}};
PyObject* handler_capsule = nullptr;

}  // namespace

bool make_handler() {
    handler_capsule = PyCapsule_New(&handler, "mem_handler", nullptr);
    return handler_capsule;
}

bool read_shape(PyObject* tuple, Shape& shape) {
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "shape must be a tuple");
        return false;
    }
    const Py_ssize_t rank = PyTuple_GET_SIZE(tuple);
    if (rank > NPY_MAXDIMS) {
        PyErr_SetString(PyExc_ValueError, "shape has more axes than NumPy allows");
        return false;
    }
    shape.rank = static_cast<int>(rank);
    shape.elements = 1;
    for (int a = 0; a < shape.rank; ++a) {
        const npy_intp n = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple, a));
        if (n == -1 && PyErr_Occurred()) return false;
        if (n < 0 || __builtin_mul_overflow(shape.elements, n, &shape.elements)) {
            PyErr_SetString(PyExc_ValueError, n < 0 ? "shape has a negative extent"
                            : "shape has more elements than memory holds");
            return false;
        }
        shape.extents[a] = n;
    }
    return true;
}

PyObject* fresh(const Shape& shape, PyArray_Descr* descr) {
    npy_intp bytes;
    if (__builtin_mul_overflow(shape.elements, PyDataType_ELSIZE(descr), &bytes)) {
        PyErr_SetString(PyExc_ValueError, "shape has more bytes than memory holds");
        return nullptr;
    }
    void* data = pool::take(static_cast<size_t>(bytes));
    if (!data)
        return PyErr_Format(PyExc_MemoryError, "no memory for a result of %zd bytes",
                            bytes);
    Py_INCREF(descr);
    PyObject* made = PyArray_NewFromDescr(
        &PyArray_Type, descr, shape.rank, const_cast<npy_intp*>(shape.extents), nullptr,
        data, NPY_ARRAY_CARRAY, nullptr);
    if (!made) {
        pool::give(data);
        return nullptr;
    }
    auto* array = reinterpret_cast<PyArrayObject*>(made);
    Py_INCREF(handler_capsule);
    reinterpret_cast<PyArrayObject_fields*>(array)->mem_handler = handler_capsule;
    PyArray_ENABLEFLAGS(array, NPY_ARRAY_OWNDATA);
    return made;
}

Extent extent_of(PyArrayObject* array) {
    const u8 *lo = data_of(array), *hi = lo + PyArray_ITEMSIZE(array);
    for (int a = 0; a < PyArray_NDIM(array); ++a) {
        if (PyArray_DIM(array, a) == 0) return {lo, lo};
        const npy_intp reach = (PyArray_DIM(array, a) - 1) * PyArray_STRIDE(array, a);
        (reach < 0 ? lo : hi) += reach;
    }
    return {lo, hi};
}

}  // namespace restride::python
