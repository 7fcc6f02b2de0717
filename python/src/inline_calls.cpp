#include "inline_calls.hpp"

#include <optional>

#include <far/far.hpp>

#include "jobs.hpp"

namespace far::python {
namespace {

namespace nb = nanobind;

/// What to send back: what the function returned or raised.
std::string answer_to(const std::string& bytes) {
  const nb::object answer = handlers().answer(nb::bytes(bytes.data(), bytes.size()));
  const auto text = nb::cast<nb::bytes>(answer);
  return {text.c_str(), text.size()};
}

/// Takes the interpreter, with a state of the rank's own if ranks share the thread: Python's way
/// for threads that it does not know would take the state of whichever rank ran there last.
class in_interpreter {
 public:
  explicit in_interpreter(PyThreadState* own) : own_(own) {
    if (own_ != nullptr) {
      PyEval_RestoreThread(own_);
    } else {
      held_.emplace();
    }
  }
  ~in_interpreter() {
    if (own_ != nullptr) PyEval_SaveThread();
  }
  in_interpreter(const in_interpreter&) = delete;
  in_interpreter& operator=(const in_interpreter&) = delete;

 private:
  PyThreadState* own_;
  std::optional<nb::gil_scoped_acquire> held_;
};

}  // namespace

thread_local bool inline_calls::running_ = false;

std::string inline_calls::run(const std::string& bytes, bool shares) {
  if (shares && state_ == nullptr) state_ = PyThreadState_New(PyInterpreterState_Main());
  const in_interpreter held(shares ? state_ : nullptr);
  running_ = true;
  std::string answer;
  try {
    answer = answer_to(bytes);
  } catch (nb::python_error& failure) {  // what it raised is in the answer, but for an interrupt
    running_ = false;
    throw error(failure.what());
  }
  running_ = false;
  return answer;
}

void inline_calls::end() noexcept {
  if (state_ == nullptr) return;
  PyThreadState_Clear(state_);
  PyThreadState_Delete(state_);
  state_ = nullptr;
}

void inline_calls::throw_would_wait() {
  throw bad_argument(
      "a function that was called inline must not wait, and this might: leave inline=True out");
}

}  // namespace far::python
