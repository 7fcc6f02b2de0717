#pragma once
// Functions in slots of a type, which have to translate what they throw.

#include <nanobind/nanobind.h>

#include <exception>

#include "errors.hpp"

namespace far::python {

template <class Result, class F>
Result translated(Result failed, F f) {
  try {
    return f();
  } catch (nb::python_error& e) {
    e.restore();
  } catch (...) {
    set_error(std::current_exception());
  }
  return failed;
}

}  // namespace far::python
