#pragma once
// Functions in slots of a type, which nanobind does not call.

#include "errors.hpp"

namespace far::python {

/// f's result, or `failed` with Python's error set: no exception may leave a slot's function.
template <class Result, class F>
Result translated(Result failed, F f) noexcept {
  try {
    return f();
  } catch (...) {
    set_python_error();
  }
  return failed;
}

}  // namespace far::python
