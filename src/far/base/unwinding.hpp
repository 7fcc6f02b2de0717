#pragma once
// Tells a destructor whether it runs because of an exception.

#include <exception>

namespace far::base {

/// A member of an object whose destructor does less when an exception destroys the object.
/// Exceptions that were in flight before the object was made do not count: a destructor that runs
/// during unwinding may make objects, which are then destroyed as usual.
class unwind_watch {
 public:
  [[nodiscard]] bool is_unwinding() const noexcept { return std::uncaught_exceptions() > before_; }

 private:
  int before_ = std::uncaught_exceptions();
};

}  // namespace far::base
