#include "words.hpp"

#include <algorithm>
#include <cstring>

namespace restride::python {
namespace {

// The type of what follows. Lengths are added above these bits.
enum Tag : u64 {
    kInt = 1, kBool, kNone, kEllipsis, kFloat, kText, kTuple, kList, kSlice, kScalar, kTable
};
constexpr int kTagBits = 8, kKindBits = 32;
// Longer texts and tables are read anew each time.
constexpr std::size_t kMostBytes = 256;

u64 tagged(Tag tag, u64 count) { return tag | count << kTagBits; }

// NumPy's number of the type of an element, beside the tag.
u64 with_kind(Tag tag, int kind) { return tag | static_cast<u64>(kind) << kKindBits; }

bool is_out(PyObject* name) {
    static PyObject* const out = PyUnicode_InternFromString("out");
    return name == out || PyUnicode_Compare(name, out) == 0;
}

}  // namespace

bool Words::read(const Given& given, const Places& places) {
    const Py_ssize_t n = given.positions;
    if (n == 0 || n <= places.second) return false;
    for (Py_ssize_t k = 0; k < n; ++k)
        if (!argument_words(given.values[k], k, places)) return false;
    if (!put(tagged(kTuple, static_cast<u64>(n)))) return false;
    for (Py_ssize_t k = 0; k < given.named(); ++k)
        if (!named_words(PyTuple_GET_ITEM(given.names, k), given.values[n + k])) return false;
    return true;
}

bool Words::read_plain(PyObject* args, PyObject* keywords) {
    return value_words(args, 0) && (!keywords || dict_words(keywords));
}

bool Words::argument_words(PyObject* value, Py_ssize_t k, const Places& places) {
    if (k == 0 || k == places.second) return array_words(value);
    return k == places.out ? set_out(value) : value_words(value, 0);
}

bool Words::dict_words(PyObject* keywords) {
    PyObject *name, *value;
    for (Py_ssize_t at = 0; PyDict_Next(keywords, &at, &name, &value);)
        if (!named_words(name, value)) return false;
    return true;
}

bool Words::named_words(PyObject* name, PyObject* value) {
    return is_out(name) ? set_out(value) : text_words(name) && value_words(value, 0);
}

u64 Words::hash() const {
    u64 h = static_cast<u64>(n_);
    for (u64 word : *this) h = (h ^ word) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return h;
}

bool Words::operator==(const Words& other) const {
    return n_ == other.n_ && std::equal(begin(), end(), other.begin());
}

// The dtype by its address: whoever remembers the words keeps it alive.
bool Words::array_words(PyObject* value) {
    if (!PyArray_CheckExact(value)) return false;
    auto* array = reinterpret_cast<PyArrayObject*>(value);
    const int rank = PyArray_NDIM(array);
    if (n_ + 2 + 2 * rank > kMost) return false;
    arrays_[arrays_[0] ? 1 : 0] = array;
    put(reinterpret_cast<u64>(PyArray_DESCR(array)));
    put(static_cast<u64>(rank));
    for (int a = 0; a < rank; ++a) {
        put(static_cast<u64>(PyArray_DIM(array, a)));
        put(static_cast<u64>(PyArray_STRIDE(array, a)));
    }
    return true;
}

bool Words::value_words(PyObject* value, int depth) {
    if (PyLong_CheckExact(value)) {
        int over;
        const long long number = PyLong_AsLongLongAndOverflow(value, &over);
        return !over && put(kInt) && put(static_cast<u64>(number));
    }
    if (PyTuple_CheckExact(value))
        return items_words(&PyTuple_GET_ITEM(value, 0), PyTuple_GET_SIZE(value), kTuple, depth);
    if (PyList_CheckExact(value))
        return items_words(reinterpret_cast<PyListObject*>(value)->ob_item,
                           PyList_GET_SIZE(value), kList, depth);
    if (PyUnicode_CheckExact(value)) return text_words(value);
    if (PySlice_Check(value)) {
        auto* slice = reinterpret_cast<PySliceObject*>(value);
        return depth < kDepth && put(kSlice) && value_words(slice->start, kDepth) &&
               value_words(slice->stop, kDepth) && value_words(slice->step, kDepth);
    }
    if (value == Py_None) return put(kNone);
    if (value == Py_Ellipsis) return put(kEllipsis);
    if (PyBool_Check(value)) return put(tagged(kBool, value == Py_True));
    return number_words(value);
}

bool Words::items_words(PyObject* const* items, Py_ssize_t n, u64 tag, int depth) {
    if (depth >= kDepth || !put(tag | static_cast<u64>(n) << kTagBits)) return false;
    for (Py_ssize_t k = 0; k < n; ++k)
        if (!value_words(items[k], depth + 1)) return false;
    return true;
}

bool Words::text_words(PyObject* text) {
    Py_ssize_t bytes;
    const char* data = PyUnicode_AsUTF8AndSize(text, &bytes);
    if (data) return bytes_words(data, static_cast<std::size_t>(bytes), kText);
    PyErr_Clear();  // a lone surrogate: no text of ours, and told so later
    return false;
}

// Floats by their bits; NumPy's own numbers and small tables of them by their bytes.
bool Words::number_words(PyObject* value) {
    if (PyFloat_CheckExact(value)) {
        const double number = PyFloat_AS_DOUBLE(value);
        return bytes_words(&number, sizeof number, kFloat);
    }
    if (PyArray_CheckExact(value))
        return table_words(reinterpret_cast<PyArrayObject*>(value));
    if (!PyArray_IsScalar(value, Number)) return false;
    PyArray_Descr* descr = PyArray_DescrFromScalar(value);
    if (!descr) return PyErr_Clear(), false;
    u8 data[32];
    const int kind = descr->type_num;
    const npy_intp bytes = PyDataType_ELSIZE(descr);
    Py_DECREF(descr);
    if (!PyTypeNum_ISNUMBER(kind) || bytes > static_cast<npy_intp>(sizeof data)) return false;
    PyArray_ScalarAsCtype(value, data);
    return bytes_words(data, static_cast<std::size_t>(bytes), with_kind(kScalar, kind));
}

bool Words::table_words(PyArrayObject* table) {
    const auto bytes = static_cast<std::size_t>(PyArray_NBYTES(table));
    if (!PyTypeNum_ISNUMBER(PyArray_TYPE(table)) || !PyArray_ISCARRAY_RO(table)) return false;
    const int rank = PyArray_NDIM(table);
    if (bytes > kMostBytes || !put(tagged(kTable, static_cast<u64>(rank)))) return false;
    for (int a = 0; a < rank; ++a)
        if (!put(static_cast<u64>(PyArray_DIM(table, a)))) return false;
    return bytes_words(PyArray_DATA(table), bytes, with_kind(kTable, PyArray_TYPE(table)));
}

bool Words::bytes_words(const void* data, std::size_t bytes, u64 tag) {
    const auto words = static_cast<int>((bytes + sizeof(u64) - 1) / sizeof(u64));
    if (bytes > kMostBytes || n_ + 1 + words > kMost) return false;
    put(tag | bytes << kTagBits);
    if (words) words_[n_ + words - 1] = 0;
    std::memcpy(words_ + n_, data, bytes);
    n_ += words;
    return true;
}

}  // namespace restride::python
