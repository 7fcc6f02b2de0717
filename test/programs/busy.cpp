// Ranks that are always busy; the soak test kills one of them: test-busy [ROUNDS [SECONDS]]. In
// each round every rank puts, counts and calls at random ranks, and waits for a signal of its
// neighbor; then all ranks quiesce. The upper half of the ranks begins SECONDS after the others.
// Each rank prints when it has joined the job, and when it has communicated with all others.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>

#include "far/base/random.hpp"
#include "far/fabric/handlers.hpp"
#include "far/far.hpp"

namespace {

using far::fabric::address;
using far::fabric::context;

constexpr std::uint64_t counter_offset = 64;
constexpr std::uint64_t signal_offset = 128;
constexpr std::uint64_t block_offset = 4096;
constexpr std::size_t block_bytes = 32768;
constexpr int steps = 50;

/// Replies with the request.
struct echo {
  static void run(far::fabric::message& request) { request.reply(request.bytes()); }
};

address at(int rank, std::uint64_t offset) {
  return {rank, far::fabric::symmetric_segment, offset};
}

void put_block(context& mine, int target, std::span<const std::byte> block) {
  const far::fabric::put_part part{at(target, block_offset), block.data(), block.size()};
  mine.put({&part, 1});
}

void count(context& mine, int target) {
  far::fabric::amo_request add;
  add.word = at(target, counter_offset);
  add.op = far::fabric::amo_op::add;
  add.operand = 1;
  mine.amo(add, nullptr);
}

void call(context& mine, int target, std::span<const std::byte> text) {
  far::fabric::request answer;
  far::fabric::send_request message;
  message.rank = target;
  message.handler = far::fabric::handler_of<echo>::index();
  message.head = text;
  message.reply = &answer;
  message.reply_bytes = static_cast<std::uint32_t>(text.size());
  mine.send(message);
  mine.wait(answer, {"an answer", target, {}});
}

void signal_and_wait(context& mine, int rank, int size, std::uint64_t round) {
  const far::fabric::signal next{at((rank + 1) % size, signal_offset), round,
                                 far::fabric::signal::kind::set};
  mine.put({}, nullptr, nullptr, &next);
  const address own = at(rank, signal_offset);
  mine.wait([&] { return mine.peek(own) >= round; }, far::fabric::never,
            {"the neighbour's signal", (rank + size - 1) % size, own});
}

}  // namespace

int main(int argc, char** argv) {
  const auto rounds = static_cast<std::uint64_t>(argc > 1 ? std::atoll(argv[1]) : 1'000'000'000);
  const std::chrono::seconds late(argc > 2 ? std::atoll(argv[2]) : 0);
  far::run([&](far::world& world) {
    std::printf("joined %d\n", world.rank());
    std::fflush(stdout);
    if (2 * world.rank() >= world.size()) std::this_thread::sleep_for(late);
    far::fabric::fabric& fabric = world.fabric();
    context& mine = world.context();
    fabric.set_extent(far::fabric::symmetric_segment, block_offset + block_bytes);
    fabric.quiesce(mine);
    std::array<std::byte, block_bytes> block{};
    far::base::random random(static_cast<std::uint64_t>(world.rank()) + 1);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      for (int step = 0; step < steps; ++step) {
        const int target = static_cast<int>(random() % static_cast<std::uint64_t>(world.size()));
        put_block(mine, target, block);
        count(mine, target);
        call(mine, target, std::span(block).first(random() % 256));
      }
      signal_and_wait(mine, world.rank(), world.size(), round);
      fabric.quiesce(mine);
      if (round == 1) {  // all have communicated with all by now
        std::printf("ready %d\n", world.rank());
        std::fflush(stdout);
      }
    }
  });
}
