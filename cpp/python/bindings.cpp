// The Python module restride._native: takes arguments apart, releases the GIL, and
// nothing else. Only this folder knows Python.
#define RESTRIDE_IMPORTS_NUMPY
#include "numpy_api.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "../add.hpp"
#include "../copy.hpp"
#include "../paths.hpp"
#include "../pool.hpp"
#include "../program.hpp"
#include "../threads.hpp"
#include "arrays.hpp"
#include "bind.hpp"
#include "known.hpp"
#include "programs.hpp"

namespace nb = nanobind;
using namespace restride;
using namespace restride::python;

namespace {

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

nb::object bind_move(nb::handle move, i64 itemsize, nb::handle source_strides,
                     nb::handle result_strides) {
    PyObject* told = bind(move.ptr(), itemsize, source_strides.ptr(), result_strides.ptr());
    if (!told) throw nb::python_error();
    return nb::steal(told);
}

nb::object fresh_array(nb::handle extents, nb::handle dtype) {
    Shape shape;
    if (!read_shape(extents.ptr(), shape)) throw nb::python_error();
    if (!PyArray_DescrCheck(dtype.ptr())) throw nb::type_error("dtype must be a numpy.dtype");
    PyObject* made = fresh(shape, reinterpret_cast<PyArray_Descr*>(dtype.ptr()));
    if (!made) throw nb::python_error();
    return nb::steal(made);
}

nb::object copy_array(nb::handle result, nb::handle source, nb::handle told,
                      nb::handle shape_tuple, nb::handle dtype) {
    Kept kept;
    if (!kept.read(told.ptr())) throw nb::python_error();
    Program program = kept.program();
    PyArrayObject* from = as_array(source, "source");
    nb::object out;
    if (result.is_none()) {
        out = fresh_array(shape_tuple, dtype);
        // A program may write one box of a fresh result; the caller writes the others.
        const auto* made = reinterpret_cast<PyArrayObject*>(out.ptr());
        if (program.elements() * program.itemsize > PyArray_NBYTES(made))
            throw nb::value_error("the program writes more bytes than the shape holds");
    } else {
        writable(result, "result");
        out = nb::borrow(result);
    }
    auto* to = reinterpret_cast<PyArrayObject*>(out.ptr());
    Arena arena;
    without_gil(program.elements() * program.itemsize,
                [&] { copy(data_of(to), data_of(from), program, arena); });
    return out;
}

void add_array(nb::handle source, nb::handle result, nb::handle told,
               const char* kind_name) {
    Kept kept;
    if (!kept.read(told.ptr())) throw nb::python_error();
    Program program = kept.program();
    Arena arena;
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
    if (!make_handler()) throw nb::python_error();
    PyObject* known = make_known_type();
    if (!known) throw nb::python_error();
    m.attr("Known") = nb::steal(known);
    m.def("remember_calls", &remember_calls, nb::arg("on"));
    m.def("words_of", [](nb::handle args, nb::handle keywords) {
        return nb::steal(words_of(args.ptr(), keywords.ptr()));
    }, nb::arg("args"), nb::arg("keywords"));
    m.def("remembered_calls", &remembered_calls);
    m.def("bind", &bind_move, nb::arg("move"), nb::arg("itemsize"),
          nb::arg("source_strides"), nb::arg("result_strides").none());
    m.def("copy", &copy_array, nb::arg("result").none(), nb::arg("source"),
          nb::arg("program"), nb::arg("shape"), nb::arg("dtype"));
    m.def("add", &add_array, nb::arg("source"), nb::arg("result"), nb::arg("program"),
          nb::arg("kind"));
    m.def("threads", &threads, nb::arg("n") = nb::none());
    m.def("pool_limit", &pool_limit, nb::arg("bytes") = nb::none());
    m.def("pool_clear", [] { pool::clear(); });
    m.def("pool_stats", &pool_stats);
    m.attr("_isa") = kernels().name;
}
