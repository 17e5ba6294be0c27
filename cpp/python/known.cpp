// A call is answered in C where the same one was made before: its words (types and
// values of the arguments, layout of the arrays) lead to a bound program. Any other call
// goes to the method `_first` of the Python subclass, which checks, runs, and gives
//   (result, program or None, shape of a fresh result).
#include "known.hpp"

#include <structmember.h>

#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "bound.hpp"
#include "words.hpp"

namespace restride::python {
namespace {

bool enabled = true;
long long answered = 0;

struct Entry {
    std::vector<u64> words;
    std::shared_ptr<const Bound> bound;
    PyObject* dtypes[Words::kArrays] = {};  // kept alive: words name them by address
};

class Calls {
public:
    ~Calls() { clear(); }

    std::shared_ptr<const Bound> find(const Words& words, u64 hash) const {
        const auto at = entries_.find(hash);
        if (at == entries_.end()) return nullptr;
        const std::vector<u64>& known = at->second.words;
        const bool same = known.size() == static_cast<std::size_t>(words.end() - words.begin()) &&
                          std::equal(known.begin(), known.end(), words.begin());
        return same ? at->second.bound : nullptr;
    }

    void add(const Words& words, std::shared_ptr<const Bound> bound) {
        if (entries_.size() >= kMost) clear();
        Entry entry{{words.begin(), words.end()}, std::move(bound), {}};
        for (int k = 0; k < Words::kArrays && words.array(k); ++k) {
            entry.dtypes[k] = reinterpret_cast<PyObject*>(PyArray_DESCR(words.array(k)));
            Py_INCREF(entry.dtypes[k]);
        }
        Entry& place = entries_[words.hash()];
        std::swap(place, entry);
        drop(entry);
    }

private:
    // A caller repeats few calls; when they are many, all are forgotten and few learnt.
    static constexpr std::size_t kMost = 1024;

    void clear() {
        std::unordered_map<u64, Entry> old;
        old.swap(entries_);
        for (auto& [hash, entry] : old) drop(entry);
    }
    static void drop(Entry& entry) {
        for (PyObject* dtype : entry.dtypes) Py_XDECREF(dtype);
    }

    std::unordered_map<u64, Entry> entries_;
};

struct Known {
    PyObject_HEAD
    vectorcallfunc call;
    Places places;
    Calls* calls;
};

Known* of(PyObject* self) { return reinterpret_cast<Known*>(self); }

PyObject* known_call(PyObject* self, PyObject* const* values, std::size_t n, PyObject* names);

PyObject* known_new(PyTypeObject* type, PyObject*, PyObject*) {
    PyObject* self = type->tp_alloc(type, 0);
    if (!self) return nullptr;
    of(self)->call = known_call;
    of(self)->places = {0, 0};
    of(self)->calls = new (std::nothrow) Calls;
    if (of(self)->calls) return self;
    Py_DECREF(self);
    return PyErr_NoMemory();
}

void known_dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    delete of(self)->calls;
    type->tp_free(self);
    Py_DECREF(type);
}

// What a bound call gives, or null without an error where it does not fit after all.
PyObject* answer(const Bound& bound, const Words& words) {
    if (words.array(1)) {
        if (words.out() || !PyArray_ISWRITEABLE(words.array(0)) ||
            !apart(words.array(0), words.array(1)))
            return nullptr;
        bound.run(words.array(0), words.array(1));
        return Py_NewRef(reinterpret_cast<PyObject*>(words.array(0)));
    }
    if (!words.out()) return bound.make(words.array(0));
    if (!PyArray_CheckExact(words.out())) return nullptr;
    auto* result = reinterpret_cast<PyArrayObject*>(words.out());
    if (!bound.fits(result, words.array(0))) return nullptr;
    bound.run(result, words.array(0));
    return Py_NewRef(words.out());
}

// Remember the call, unless its arguments were changed while it ran.
bool remember(PyObject* self, const Words& before, const Given& given, PyObject* program,
              PyObject* extents) {
    Words now;
    Shape shape;
    if (!now.read(given, of(self)->places) || !(now == before)) return true;
    if (!read_shape(extents, shape)) return false;
    PyArray_Descr* descr = PyArray_DESCR(now.array(0));
    try {
        of(self)->calls->add(now, std::make_shared<const Bound>(program, shape, descr));
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
        return false;
    }
    return true;
}

PyObject* first(PyObject* self, const Given& given, const Words* words) {
    static PyObject* const name = PyUnicode_InternFromString("_first");
    PyObject* method = PyObject_GetAttr(self, name);
    if (!method) return nullptr;
    PyObject* told = PyObject_Vectorcall(method, given.values,
                                         static_cast<std::size_t>(given.positions), given.names);
    Py_DECREF(method);
    if (!told) return nullptr;
    PyObject *result = nullptr, *program, *shape;
    if (!PyTuple_Check(told) || !PyArg_ParseTuple(told, "OOO", &result, &program, &shape)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "_first must give a tuple");
    } else if (!words || program == Py_None ||
               remember(self, *words, given, program, shape)) {
        Py_INCREF(result);
    }
    Py_DECREF(told);
    return PyErr_Occurred() ? nullptr : result;
}

PyObject* known_call(PyObject* self, PyObject* const* values, std::size_t n, PyObject* names) {
    const Given given{values, PyVectorcall_NARGS(n), names};
    Words words;
    if (!enabled || !words.read(given, of(self)->places)) return first(self, given, nullptr);
    const auto bound = of(self)->calls->find(words, words.hash());
    if (!bound) return first(self, given, &words);
    PyObject* result = answer(*bound, words);
    if (!result && !PyErr_Occurred()) return first(self, given, nullptr);
    ++answered;
    return result;
}

// A class written in Python gets its base's way to be called without a tuple and a dict of
// the arguments only from Python 3.12 on; before, it is given here, unless the class has a
// `__call__` of its own.
PyObject* known_init_subclass(PyObject* self, PyObject*, PyObject*) {
    auto* type = reinterpret_cast<PyTypeObject*>(self);
    if (type->tp_call == PyVectorcall_Call) type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"__init_subclass__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(known_init_subclass)),
     METH_CLASS | METH_VARARGS | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Known, call), READONLY, nullptr},
    {"_second", T_PYSSIZET, offsetof(Known, places.second), 0, nullptr},
    {"_out", T_PYSSIZET, offsetof(Known, places.out), 0, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(known_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(known_dealloc)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {0, nullptr},
};

PyType_Spec spec = {"restride._native.Known", sizeof(Known), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL,
                    slots};

}  // namespace

PyObject* make_known_type() { return PyType_FromSpec(&spec); }

bool remember_calls(bool on) {
    const bool before = enabled;
    enabled = on;
    return before;
}

long long remembered_calls() { return answered; }

PyObject* words_of(PyObject* args, PyObject* keywords) {
    Words words;
    if (!PyTuple_CheckExact(args) || !PyDict_CheckExact(keywords) ||
        !words.read_plain(args, keywords) || words.out())
        Py_RETURN_NONE;
    return PyBytes_FromStringAndSize(
        reinterpret_cast<const char*>(words.begin()),
        (words.end() - words.begin()) * static_cast<Py_ssize_t>(sizeof(u64)));
}

}  // namespace restride::python
