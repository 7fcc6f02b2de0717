#include "far/sections/accumulate_queue.hpp"

#include <utility>

#include "far/fabric/copy.hpp"
#include "far/rma/amo.hpp"
#include "far/rpc/serialize.hpp"
#include "far/sections/accumulate_lock.hpp"

namespace far::sections {
namespace {

fabric::amo_request on_own_lock(const fabric::fabric& fabric, fabric::amo_op op,
                                std::uint64_t operand) {
  fabric::amo_request request;
  request.word = accumulate_words(fabric.rank()).lock.address();
  request.op = op;
  request.operand = operand;
  return request;
}

void check_whole_elements(const arrived_slice& slice) {
  slice.to.for_each_block([&](const std::byte*, std::uint64_t, std::uint64_t, std::uint64_t,
                              std::uint64_t, std::uint64_t row_bytes) {
    if (row_bytes % bytes_of(slice.how.type) != 0) {
      wire::throw_malformed("a part of an element");
    }
  });
}

void perform(const arrived_slice& slice) noexcept {
  slice.to.for_each_block([&](std::byte* memory, std::uint64_t stride, std::uint64_t position,
                              std::uint64_t position_stride, std::uint64_t rows,
                              std::uint64_t row_bytes) {
    accumulate_rows(slice.how, memory, stride, slice.bytes.get() + position, position_stride, rows,
                    row_bytes);
  });
}

}  // namespace

future<void> accumulate_queue::add(const world& world, arrived_slice slice) {
  check_whole_elements(slice);
  fabric::context& lane = world.context();
  entries_.push_back({std::move(slice), promise<void>(lane)});
  future<void> done = entries_.back().done.get_future();
  if (!std::exchange(asks_, true)) ask(lane);
  return done;
}

void accumulate_queue::granted(const world& world) {
  accumulate_queue& queue = of(world);
  if (queue.entries_.empty()) wire::throw_malformed("a lock that nothing waits for");
  queue.serve(world.context());
}

void accumulate_queue::ask(fabric::context& lane) {
  (void)future<std::uint64_t>(
      rma::start_amo<std::uint64_t>(lane, on_own_lock(*fabric_, fabric::amo_op::bit_or, lane_bit)))
      .then([this, &lane](std::uint64_t old) {
        if (holder_of(old) == 0) serve(lane);  // else its holder will send `granted`
      });
}

void accumulate_queue::serve(fabric::context& lane) {
  fabric::acquire_fence();
  entry now = std::move(entries_.front());
  entries_.pop_front();
  perform(now.slice);
  fabric::release_fence();
  (void)future<void>(
      rma::start_amo<void>(lane, on_own_lock(*fabric_, fabric::amo_op::bit_and, ~lane_bit)))
      .then([this, &lane] { entries_.empty() ? void(asks_ = false) : ask(lane); });
  now.done.set_value();
}

}  // namespace far::sections
