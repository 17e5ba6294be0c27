// The Python module restride._native: takes arguments apart, releases the GIL, and
// nothing else. The only file that knows Python.
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <numpy/arrayobject.h>

#include <optional>
#include <string>

#include <nanobind/stl/optional.h>

#include "add.hpp"
#include "copy.hpp"
#include "pool.hpp"
#include "program.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace restride;

namespace {

// Below this many bytes a switch of the GIL costs more than the copy.
constexpr npy_intp kHoldBytes = 16 << 10;

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

PyArrayObject* as_array(nb::handle object, const char* name) {
    if (!PyArray_Check(object.ptr())) {
        PyErr_Format(PyExc_TypeError, "%s must be a numpy.ndarray, not %s", name,
                     Py_TYPE(object.ptr())->tp_name);
        throw nb::python_error();
    }
    return reinterpret_cast<PyArrayObject*>(object.ptr());
}

PyArrayObject* writable(nb::handle object, const char* name) {
    PyArrayObject* array = as_array(object, name);
    if (!PyArray_ISWRITEABLE(array))
        throw nb::value_error((std::string(name) + " is read-only").c_str());
    return array;
}

void unpack_bytes(nb::handle packed, Arena& arena, Program& program) {
    if (!PyBytes_Check(packed.ptr())) throw nb::type_error("program must be bytes");
    const char* wrong =
        unpack(PyBytes_AS_STRING(packed.ptr()),
               static_cast<size_t>(PyBytes_GET_SIZE(packed.ptr())), arena, program);
    if (wrong) throw nb::value_error(wrong);
}

struct Shape {
    npy_intp extents[NPY_MAXDIMS];
    int rank;
    npy_intp elements;
};

Shape shape_of(nb::handle tuple) {
    if (!PyTuple_Check(tuple.ptr())) throw nb::type_error("shape must be a tuple");
    Shape shape;
    const Py_ssize_t rank = PyTuple_GET_SIZE(tuple.ptr());
    if (rank > NPY_MAXDIMS) throw nb::value_error("shape has more than 64 axes");
    shape.rank = static_cast<int>(rank);
    shape.elements = 1;
    for (int a = 0; a < shape.rank; ++a) {
        shape.extents[a] = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple.ptr(), a));
        if (shape.extents[a] == -1 && PyErr_Occurred()) throw nb::python_error();
        if (shape.extents[a] < 0) throw nb::value_error("shape has a negative extent");
        if (__builtin_mul_overflow(shape.elements, shape.extents[a], &shape.elements))
            throw nb::value_error("shape has more elements than memory holds");
    }
    return shape;
}

// A C-ordered array over a buffer of the pool, which it gives back when it dies.
nb::object fresh(const Shape& shape, nb::handle dtype) {
    if (!PyArray_DescrCheck(dtype.ptr())) throw nb::type_error("dtype must be a numpy.dtype");
    auto* descr = reinterpret_cast<PyArray_Descr*>(dtype.ptr());
    npy_intp bytes;
    if (__builtin_mul_overflow(shape.elements, PyDataType_ELSIZE(descr), &bytes))
        throw nb::value_error("shape has more bytes than memory holds");
    void* data = pool::take(static_cast<size_t>(bytes));
    if (!data) {
        PyErr_Format(PyExc_MemoryError, "no memory for a result of %zd bytes", bytes);
        throw nb::python_error();
    }
    Py_INCREF(descr);
    PyObject* made = PyArray_NewFromDescr(
        &PyArray_Type, descr, shape.rank, const_cast<npy_intp*>(shape.extents), nullptr,
        data, NPY_ARRAY_CARRAY, nullptr);
    if (!made) {
        pool::give(data);
        throw nb::python_error();
    }
    auto* array = reinterpret_cast<PyArrayObject*>(made);
    Py_INCREF(handler_capsule);
    reinterpret_cast<PyArrayObject_fields*>(array)->mem_handler = handler_capsule;
    PyArray_ENABLEFLAGS(array, NPY_ARRAY_OWNDATA);
    return nb::steal(made);
}

template <class Act>
void without_gil(npy_intp bytes, Act&& act) {
    if (bytes < kHoldBytes) return act();
    nb::gil_scoped_release released;
    act();
}

u8* data_of(PyArrayObject* array) { return static_cast<u8*>(PyArray_DATA(array)); }

nb::object copy_array(nb::handle result, nb::handle source, nb::handle packed,
                      nb::handle shape_tuple, nb::handle dtype) {
    Arena arena;
    Program program;
    unpack_bytes(packed, arena, program);
    PyArrayObject* from = as_array(source, "source");
    nb::object out;
    if (result.is_none()) {
        const Shape shape = shape_of(shape_tuple);
        out = fresh(shape, dtype);
        // A program may write one box of a fresh result; the caller writes the others.
        const auto* made = reinterpret_cast<PyArrayObject*>(out.ptr());
        if (program.elements() * program.itemsize > PyArray_NBYTES(made))
            throw nb::value_error("the program writes more bytes than the shape holds");
    } else {
        writable(result, "result");
        out = nb::borrow(result);
    }
    auto* to = reinterpret_cast<PyArrayObject*>(out.ptr());
    without_gil(program.elements() * program.itemsize,
                [&] { copy(data_of(to), data_of(from), program, arena); });
    return out;
}

void add_array(nb::handle source, nb::handle result, nb::handle packed,
               const char* kind_name) {
    Arena arena;
    Program program;
    unpack_bytes(packed, arena, program);
    PyArrayObject* to = writable(source, "source");
    PyArrayObject* from = as_array(result, "result");
    const Kind kind = kind_of(kind_name);
    if (kind == Kind::none)
        throw nb::value_error((std::string("unknown kind ") + kind_name).c_str());
    without_gil(program.elements() * result_bytes(kind),
                [&] { add(data_of(to), data_of(from), program, arena, kind); });
}

int threads(std::optional<i64> n) {
    if (n) {
        if (*n < 1) throw nb::value_error("threads must be at least 1");
        set_thread_count(static_cast<int>(std::min<i64>(*n, 1 << 20)));
    }
    return thread_count();
}

i64 pool_limit(std::optional<i64> bytes) {
    if (bytes) {
        if (*bytes < 0) throw nb::value_error("the limit must not be negative");
        pool::set_limit(*bytes);
    }
    return pool::limit();
}

nb::dict pool_stats() {
    const pool::Stats s = pool::stats();
    nb::dict out;
    out["limit"] = s.limit;
    out["held_bytes"] = s.held_bytes;
    out["held_buffers"] = s.held_buffers;
    out["live_bytes"] = s.live_bytes;
    out["live_buffers"] = s.live_buffers;
    out["hits"] = s.hits;
    out["misses"] = s.misses;
    return out;
}

}  // namespace

NB_MODULE(_native, m) {
    if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
    handler_capsule = PyCapsule_New(&handler, "mem_handler", nullptr);
    if (!handler_capsule) throw nb::python_error();
    m.def("copy", &copy_array, nb::arg("result").none(), nb::arg("source"),
          nb::arg("program"), nb::arg("shape"), nb::arg("dtype"));
    m.def("add", &add_array, nb::arg("source"), nb::arg("result"), nb::arg("program"),
          nb::arg("kind"));
    m.def("threads", &threads, nb::arg("n") = nb::none());
    m.def("pool_limit", &pool_limit, nb::arg("bytes") = nb::none());
    m.def("pool_clear", [] { pool::clear(); });
    m.def("pool_stats", &pool_stats);
}
