#pragma once
// libfar's exceptions as Python's.

#include <exception>

#include "session.hpp"

namespace far::python {

/// Sets Python's exception for one of C++.
void set_error(const std::exception_ptr& thrown) noexcept;

/// Adds the exception classes to the module, and translates what functions of it throw.
void define_errors(nb::module_& module);

/// Makes Ctrl-C end the waits of this process, until the object is destroyed: Python's own handler
/// only notes that it came.
class interrupt_waits {
 public:
  interrupt_waits();
  ~interrupt_waits();
  interrupt_waits(const interrupt_waits&) = delete;
  interrupt_waits& operator=(const interrupt_waits&) = delete;
};

}  // namespace far::python
