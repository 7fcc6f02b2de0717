// The round trip of an active message and of far::rpc, compared with a hand-written ping-pong.

#include <atomic>
#include <cstring>
#include <span>

#include "bench/baselines/common.hpp"
#include "bench/baselines/mpi_peers.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "far/fabric/handlers.hpp"
#include "far/rpc/rpc.hpp"

namespace far::bench {
namespace {

// Calls that this rank has served, and the number after which it continues. Ranks are processes
// here, so each has its own.
std::uint64_t served = 0;
std::uint64_t due = 0;

struct add_one {
  static void run(fabric::message& m) {
    std::uint64_t value;
    std::memcpy(&value, m.bytes().data(), sizeof(value));
    ++value;
    ++served;
    m.reply(std::as_bytes(std::span(&value, 1)));
  }
};

struct add_one_request : fabric::request {
  std::uint64_t value = 0;

  add_one_request() {
    on_reply = [](fabric::request& self, fabric::payload bytes) noexcept {
      std::memcpy(&static_cast<add_one_request&>(self).value, bytes.data(), sizeof(value));
    };
  }
};

std::uint64_t ask(fabric::context& context, std::uint64_t value) {
  add_one_request request;
  fabric::send_request message;
  message.rank = 1;
  message.handler = fabric::handler_of<add_one>::index();
  message.head = std::as_bytes(std::span(&value, 1));
  message.reply = &request;
  message.reply_bytes = sizeof(value);
  context.send(message);
  context.wait(request, {"reply", 1, {}});
  return request.value;
}

// Answers `count` calls, waiting as libfar programs wait.
void serve(world& world, std::int64_t count) {
  due += static_cast<std::uint64_t>(count);
  world.context().wait([] { return served >= due; }, fabric::never, {"calls", 0, {}});
}

std::vector<subject> subjects_of(world& world, baseline::ping_pong& lines) {
  const int rank = world.rank();
  return {
      {"active message",
       [&world, rank](std::int64_t count) {
         if (rank == 1) return serve(world, count);
         std::uint64_t value = 0;
         for (std::int64_t i = 0; i < count; ++i) value = ask(world.context(), value);
       }},
      {"rpc",
       [&world, rank](std::int64_t count) {
         if (rank == 1) return serve(world, count);
         std::uint64_t value = 0;
         for (std::int64_t i = 0; i < count; ++i) {
           value = rpc(
                       world, 1, [](std::uint64_t v) { return ++served, v + 1; }, value)
                       .get();
         }
       }},
      {"ping-pong by hand",
       [&lines, rank, turn = std::uint64_t{0}](std::int64_t count) mutable {
         for (std::int64_t i = 0; i < count; ++i) lines.exchange(rank, ++turn);
       }},
  };
}

report measure_am() {
  const shared_memory memory(sizeof(baseline::ping_pong));
  auto& lines = *new (memory.data()) baseline::ping_pong;
  mpi_peers peers("am");
  for (int round = 0; round < 3; ++round) peers.run(2, {"round_trip"});
  const auto ns =
      measure_on_processes(2, "am", [&](world& world) { return subjects_of(world, lines); });

  report result;
  result.measured =
      "am: 8 bytes to another process and 8 bytes back, one call after another; the target waits "
      "in the\nlibrary. Limit: two processes that spin on a word of each other's cache line. "
      "Peers: MPI_Send and\nMPI_Recv there and back.";
  result.rows = {
      {"active message, 8 bytes", ns[0], ns[2], peers.of(2, "round_trip"), {.max_ratio = 2}, ""},
      {"far::rpc, 8 bytes", ns[1], ns[2], peers.of(2, "round_trip"), {}, ""},
  };
  result.remarks = peers.remarks();
  return result;
}

const benchmark registered("am", "round trip of an active message and of far::rpc", measure_am);

}  // namespace
}  // namespace far::bench
