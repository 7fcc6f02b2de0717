// What the interpreters of ranks send each other. What the bytes mean is Python's affair.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bindings.hpp"
#include "jobs.hpp"

namespace far::python {
namespace {

void deliver(rank_state& target, int from, const std::string& bytes) {
  // What comes after its end, nobody waits for.
  if (const auto in = target.get<session_of_rank>().in.lock()) in->mail().deliver({from, bytes});
}

void send(const py_world& world, int rank, const nb::bytes& what) {
  if (rank < 0 || rank >= world.in->size()) {
    throw out_of_bounds(fmt::format("rank {} of {}", rank, world.in->size()));
  }
  const std::string bytes(what.c_str(), what.size());
  world.in->detached([&](const far::world& view) {
    rpc_oneway<deliver>(view, rank, world.in->rank(), bytes);
    // So that it leaves also if this thread makes no progress for long.
    view.progress();
  });
}

/// Waits for the next message; nothing after close.
std::optional<std::pair<int, nb::bytes>> receive(const py_world& world) {
  std::optional<mailbox::message> next;
  {
    const std::shared_ptr<session> in = world.in;
    const nb::gil_scoped_release release;
    next = in->mail().receive();
  }
  if (!next) return std::nullopt;
  return std::pair(next->from, nb::bytes(next->bytes.data(), next->bytes.size()));
}

}  // namespace

void define_calls(nb::module_& module) {
  module.def("send", &send);
  module.def("receive", &receive);
  module.def("close_mail", [](const py_world& world) { world.in->mail().close(); });
  module.def("enter_thread", [](const py_world& world) { world.in->enter_thread(); });
}

}  // namespace far::python
