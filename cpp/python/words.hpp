// What a call was given, as numbers: equal words mean equal types, values and layouts.
#pragma once

#include "../program.hpp"
#include "numpy_api.hpp"

namespace restride::python {

using u64 = std::uint64_t;

// What a function is given: its values, those by position first, and the names of the rest.
struct Given {
    PyObject* const* values;
    Py_ssize_t positions;
    PyObject* names;  // a tuple, or null

    Py_ssize_t named() const { return names ? PyTuple_GET_SIZE(names) : 0; }
};

// Where arrays stand among the arguments, beside the first; 0 for none.
struct Places {
    Py_ssize_t second;  // another array that is read
    Py_ssize_t out;     // where the result goes, if not given by name
};

class Words {
public:
    // The layout of the arrays that are read, and every other argument but `out`. False
    // where one is of a kind that is not remembered, or there are too many.
    bool read(const Given& given, const Places& places);

    // Of arguments none of which is an array.
    bool read_plain(PyObject* args, PyObject* keywords);

    const u64* begin() const { return words_; }
    const u64* end() const { return words_ + n_; }
    u64 hash() const;
    bool operator==(const Words& other) const;

    PyArrayObject* array(int k) const { return arrays_[k]; }
    PyObject* out() const { return out_; }

    static constexpr int kArrays = 2;

private:
    // Room for tables of some twenty axes.
    static constexpr int kMost = 128;
    static constexpr int kDepth = 4;

    bool argument_words(PyObject* value, Py_ssize_t k, const Places& places);
    bool array_words(PyObject* value);
    bool value_words(PyObject* value, int depth);
    bool items_words(PyObject* const* items, Py_ssize_t n, u64 tag, int depth);
    bool dict_words(PyObject* keywords);
    bool named_words(PyObject* name, PyObject* value);
    bool text_words(PyObject* text);
    bool number_words(PyObject* value);
    bool table_words(PyArrayObject* table);
    bool bytes_words(const void* data, std::size_t bytes, u64 tag);
    bool set_out(PyObject* value) {
        out_ = value == Py_None ? nullptr : value;
        return true;
    }
    bool put(u64 word) {
        if (n_ == kMost) return false;
        words_[n_++] = word;
        return true;
    }

    int n_ = 0;
    PyArrayObject* arrays_[kArrays] = {};
    PyObject* out_ = nullptr;
    u64 words_[kMost];
};

}  // namespace restride::python
