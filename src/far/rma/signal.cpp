#include "far/rma/signal.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/rma/amo.hpp"

namespace far {

namespace rma {

std::optional<std::uint64_t> wait_word(const world& world, ptr<std::uint64_t> word,
                                       base::function_ref<bool(std::uint64_t)> satisfied,
                                       fabric::deadline_ns deadline) {
  if (word && word.rank() != world.rank()) {
    throw bad_argument(fmt::format(
        "wait_signal: rank {} cannot wait for a word of rank {}: the word must be its own",
        world.rank(), word.rank()));
  }
  world.fabric().check_bounds(word.address(), sizeof(std::uint64_t));
  if (word.address().offset() % sizeof(std::uint64_t) != 0) {
    throw bad_argument(fmt::format("wait_signal: the word at offset {} is not aligned to 8 bytes",
                                   word.address().offset()));
  }
  fabric::context& context = world.context();
  std::uint64_t seen = 0;
  const auto look = [&] {
    seen = context.peek(word.address());
    return satisfied(seen);
  };
  if (!context.wait(look, deadline, {"signal", -1, word.address()})) return std::nullopt;
  return seen;
}

}  // namespace rma

void notify(const world& world, const signal& change) {
  fabric::amo_request request;
  request.word = change.word;
  request.op = change.how == signal::kind::set ? fabric::amo_op::store : fabric::amo_op::add;
  request.operand = change.value;
  request.wake = true;
  rma::amo(world.context(), request);
}

}  // namespace far
