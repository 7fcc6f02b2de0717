#pragma once
// How exceptions of the library become what C functions return.

#include <exception>
#include <utility>

#include <far/far.hpp>

#include "far/c/status.h"

namespace far::c {

/// The process is in no job, or the thread not attached.
class no_job : public error {
  using error::error;
};

/// Keeps the exception's message for far_error_message. Called in a handler.
[[nodiscard]] far_status status_of_exception() noexcept;

/// Calls f, and says what it has thrown.
template <class F>
[[nodiscard]] far_status guarded(F&& f) noexcept {
  try {
    std::forward<F>(f)();
    return FAR_OK;
  } catch (...) {
    return status_of_exception();
  }
}

/// Errors: bad_argument for a null pointer. `what`: "far_put: the buffer".
void check_not_null(const void* pointer, const char* what);

}  // namespace far::c
