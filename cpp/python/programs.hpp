// A program as Python tells it, taken over into plain structs.
#pragma once

#include <vector>

#include "../program.hpp"
#include "numpy_api.hpp"

namespace restride::python {

// Keeps the pieces and fills that its program points to. The passes leave both alone,
// so a copy of the program may be run while this lives.
class Kept {
public:
    Kept() = default;
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    // From the tuple (itemsize, source offset, result offset, background, axes, fills):
    // an axis is (result stride, pieces), a piece (count, offset, step, fill), and a fill
    // is bytes. False, with a Python error set, where it is none.
    bool read(PyObject* told);

    const Program& program() const { return program_; }

private:
    bool read_axes(PyObject* axes);
    bool read_fills(PyObject* fills);

    Program program_;
    std::vector<Piece> pieces_;
    std::vector<u8> fills_;
};

}  // namespace restride::python
