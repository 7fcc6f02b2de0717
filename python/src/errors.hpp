#pragma once
// libfar's exceptions as Python's.

#include "session.hpp"

namespace far::python {

/// Adds the exception classes to the module, and translates what functions of it throw.
void define_errors(nb::module_& module);

/// The exception that is being handled as Python's error, for functions that nanobind does not
/// call.
void set_python_error() noexcept;

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
