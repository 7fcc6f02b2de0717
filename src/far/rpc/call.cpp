#include "far/rpc/call.hpp"

#include "far/base/error.hpp"

namespace far::detail {

fabric::message_class class_of_call(const world& world) {
  if (world.thread() == thread_of_nested_function) {
    throw bad_argument(
        "far::rpc: a function that was called by another rank's function must not make calls: let "
        "the first function make both calls");
  }
  return world.thread() < 0 ? fabric::message_class::forward : fabric::message_class::request;
}

}  // namespace far::detail
