// Calls of Python functions on other ranks. What the bytes mean is Python's affair.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bindings.hpp"
#include "jobs.hpp"

namespace far::python {
namespace {

call_handlers known_handlers;  // of the interpreter, of which there is one

void deliver(far::world& at, int from, const std::string& bytes) {
  // What comes after its end, nobody waits for.
  if (const auto in = at.state().get<session_of_rank>().in.lock()) {
    in->mail().deliver(at, {from, bytes});
  }
}

std::string run_inline(rank_state& target, const std::string& bytes) {
  const auto in = target.get<session_of_rank>().in.lock();
  if (!in || in->has_ended()) throw job_ended("the rank that was called has left its job");
  return in->inlines().run(bytes, target.fabric().simulated());
}

void check_rank(const py_world& world, int rank) {
  if (rank < 0 || rank >= world.in->size()) {
    throw out_of_bounds(fmt::format("rank {} of {}", rank, world.in->size()));
  }
}

void send(const py_world& world, int rank, const nb::bytes& what) {
  check_rank(world, rank);
  const std::string bytes(what.c_str(), what.size());
  world.in->detached([&](const far::world& view) {
    rpc_oneway<deliver>(view, rank, world.in->rank(), bytes);
    // So that it leaves also if this thread makes no progress for long.
    view.progress();
  });
}

/// Runs what other ranks send until the mail is closed. For a thread of its own.
void serve(const py_world& world) {
  session& in = *world.in;
  const session::own_lane lane(in, in.second_view());
  while (const auto next =
             in.detached([&](const far::world& view) { return in.mail().receive(view); })) {
    handle_message(in, *next);
  }
}

/// The answer to a call that runs inline.
class py_answer {
 public:
  py_answer(const py_world& world, int rank, const nb::bytes& call) : in_(world.in) {
    check_rank(world, rank);
    const std::string bytes(call.c_str(), call.size());
    lane_ = in_->lane_here();
    in_->detached_on(*lane_, [&](const far::world& view) {
      future_ = rpc<run_inline>(view, rank, bytes);
      view.progress();
    });
  }
  ~py_answer() {
    // It belongs to its thread, which may use it now.
    const nb::gil_scoped_release release;
    const std::scoped_lock turn(lane_->turn);
    future_.reset();
  }
  py_answer(const py_answer&) = delete;
  py_answer& operator=(const py_answer&) = delete;

  [[nodiscard]] bool is_there() {
    return in_->detached_on(*lane_, [&](const far::world& view) {
      if (!future_->ready()) view.progress();
      return future_->ready();
    });
  }
  /// Waits. Called once.
  [[nodiscard]] nb::bytes take() {
    const std::string bytes =
        in_->detached_on(*lane_, [&](const far::world&) { return future_->get(); });
    return nb::bytes(bytes.data(), bytes.size());
  }

 private:
  std::shared_ptr<session> in_;
  std::shared_ptr<lane> lane_;
  std::optional<future<std::string>> future_;
};

}  // namespace

const call_handlers& handlers() {
  if (!known_handlers.answer.is_valid()) nb::module_::import_("far._calls");  // it sets them
  return known_handlers;
}

void handle_message(const session& in, const mailbox::message& what) {
  handlers().handle(in.rank(), what.from, nb::bytes(what.bytes.data(), what.bytes.size()));
}

void define_calls(nb::module_& module) {
  nb::class_<py_answer>(module, "Answer")
      .def(nb::init<const py_world&, int, const nb::bytes&>())
      .def("is_there", &py_answer::is_there)
      .def("take", &py_answer::take);
  module.def("set_handlers", [](nb::object handle, nb::object answer) {
    known_handlers = {handle.release(), answer.release()};
  });
  module.def("send", &send);
  module.def("serve", &serve);
  module.def("open_mail", [](const py_world& world) {
    world.in->detached([&](const far::world& view) { world.in->mail().open(view); });
  });
  module.def("close_mail", [](const py_world& world) {
    world.in->detached([&](const far::world& view) { world.in->mail().close(view); });
  });
  module.def("answers", [](const py_world& world) {
    return world.in->detached(
        [&](const far::world& view) { return world.in->answers().count(view); });
  });
  module.def("answered", [](const py_world& world) {
    world.in->detached([&](const far::world& view) { world.in->answers().ring(view); });
  });
  module.def("await_answer", [](const py_world& world, std::uint64_t seen) {
    world.in->detached([&](const far::world& view) { world.in->answers().wait(view, seen); });
  });
}

}  // namespace far::python
