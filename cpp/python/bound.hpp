// A program tied to arrays of one layout, ready to run without another look.
#pragma once

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "programs.hpp"

namespace restride::python {

class Bound {
public:
    // `told` is proven to stay inside arrays of this layout; throws std::runtime_error
    // where it is malformed.
    Bound(PyObject* told, const Shape& shape, PyArray_Descr* descr);
    ~Bound();
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;

    // Into a fresh array: a new reference, or null with a Python error set.
    PyObject* make(PyArrayObject* source) const;
    // Into `result`; false where it is not a row-major array of the result's shape and
    // dtype apart from the source, and nothing is written.
    bool fits(PyArrayObject* result, PyArrayObject* source) const;
    // Into `result`, which has been looked at.
    void run(PyArrayObject* result, PyArrayObject* source) const;

private:
    // One element: where it goes, and which byte of the source or of the fills it is.
    struct Cell {
        std::int32_t to, from;
    };

    void list_cells();
    void run_cells(u8* result, const u8* source) const;

    Kept kept_;
    Shape shape_;
    PyArray_Descr* descr_;
    i64 itemsize_ = 0, bytes_ = 0;
    bool small_ = false;
    std::vector<Cell> copied_, filled_;
};

bool apart(PyArrayObject* a, PyArrayObject* b);

}  // namespace restride::python
