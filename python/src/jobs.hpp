#pragma once
// The job that Python's ranks are in.

#include <memory>
#include <string>

#include "errors.hpp"
#include "session.hpp"

namespace far::python {

/// `World` of the module: one of each rank, while its job lasts.
struct py_world {
  std::shared_ptr<session> in;
  std::unique_ptr<far::job> job;     // null where this process holds all ranks
  std::unique_ptr<service> answers;  // runs other ranks' operations while Python computes
  std::unique_ptr<interrupt_waits> interrupts;

  void leave();
  void fail(const std::string& what);
};

/// Functions of the Python part, called for each message; found once.
struct call_handlers {
  nanobind::handle handle;  ///< of (rank, sender, bytes)
  nanobind::handle answer;  ///< of bytes, in the handler of a message; returns bytes
};
[[nodiscard]] const call_handlers& handlers();

/// Runs what another rank has sent, in this thread of the interpreter.
void handle_message(const session& in, const mailbox::message& what);

}  // namespace far::python
