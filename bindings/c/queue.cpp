// Queues of pieces of bytes: rings of slots of some sizes, with the piece's length before it.

#include "far/c/queue.h"

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "bindings/c/session.hpp"
#include "bindings/c/status.hpp"

/// A queue of slots, whatever their size.
struct far_queue : far::c::structure {
  explicit far_queue(std::size_t max_bytes) : most(max_bytes) {}

  virtual bool push(const far::world& world, std::span<const std::byte> bytes, bool waits) = 0;
  /// False if there was nothing and it need not wait.
  virtual bool pop(const far::world& world, std::string& bytes, bool waits) = 0;

  const std::size_t most;
};

namespace far::c {
namespace {

template <std::size_t Bytes>
struct slot {
  std::uint32_t used;
  std::array<std::byte, Bytes - sizeof(std::uint32_t)> bytes;
};
static_assert(sizeof(slot<32>) == 32);

template <std::size_t Bytes>
class queue_of final : public far_queue {
  using element = slot<Bytes>;

 public:
  queue_of(const far::world& world, int host, std::uint64_t capacity, std::size_t max_bytes)
      : far_queue(max_bytes), it_(world, host, capacity) {}

  bool push(const far::world& world, std::span<const std::byte> bytes, bool waits) override {
    element sent;
    sent.used = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(sent.bytes.data(), bytes.data(), bytes.size());
    std::memset(sent.bytes.data() + bytes.size(), 0, sent.bytes.size() - bytes.size());
    auto view = it_.on(world);
    if (!waits) return view.try_push(sent);
    view.push(sent);
    return true;
  }
  bool pop(const far::world& world, std::string& bytes, bool waits) override {
    auto view = it_.on(world);
    const std::optional<element> got = waits ? view.pop() : view.try_pop();
    if (!got) return false;
    bytes.assign(reinterpret_cast<const char*>(got->bytes.data()),
                 std::min<std::size_t>(got->used, got->bytes.size()));
    return true;
  }

 private:
  queue<element> it_;
};

std::unique_ptr<far_queue> make_queue(const far::world& world, int host, std::uint64_t capacity,
                                      std::size_t bytes) {
  if (bytes <= 28) return std::make_unique<queue_of<32>>(world, host, capacity, bytes);
  if (bytes <= 124) return std::make_unique<queue_of<128>>(world, host, capacity, bytes);
  if (bytes <= 508) return std::make_unique<queue_of<512>>(world, host, capacity, bytes);
  if (bytes <= 2044) return std::make_unique<queue_of<2048>>(world, host, capacity, bytes);
  if (bytes <= 8188) return std::make_unique<queue_of<8192>>(world, host, capacity, bytes);
  throw bad_argument(fmt::format(
      "far_queue_create: elements have up to 8188 bytes, not {}: put larger ones into a "
      "map, and their keys into the queue",
      bytes));
}

bool push(far_queue* queue, const void* bytes, std::size_t count, bool waits) {
  check_not_null(queue, "far_queue_push: the queue");
  if (count > 0) check_not_null(bytes, "far_queue_push: the bytes");
  if (count > queue->most) {
    throw bad_argument(fmt::format("far_queue_push: {} bytes for a queue of elements of up to {}",
                                   count, queue->most));
  }
  lane& mine = lane_here();
  const std::span<const std::byte> sent(static_cast<const std::byte*>(bytes), count);
  if (!waits) return queue->push(mine.world(), sent, false);
  if (!queue->push(mine.world(), sent, false)) {
    mine.outside([&] { (void)queue->push(mine.world(), sent, true); });
  }
  return true;
}

void pop(far_queue* queue, const void** bytes, std::size_t* count, bool waits) {
  check_not_null(queue, "far_queue_pop: the queue");
  check_not_null(bytes, "far_queue_pop: the result");
  check_not_null(count, "far_queue_pop: the result's length");
  lane& mine = lane_here();
  bool got = queue->pop(mine.world(), mine.result, false);
  if (!got && waits) {
    mine.outside([&] { got = queue->pop(mine.world(), mine.result, true); });
  }
  *bytes = got ? mine.result.data() : nullptr;
  *count = got ? mine.result.size() : 0;
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_queue_create(int host, uint64_t capacity, size_t max_bytes, far_queue** queue) {
  return guarded([&] {
    check_not_null(queue, "far_queue_create: the result");
    *queue = make_structure<far_queue>(
        [&](far::world& all) { return make_queue(all, host, capacity, max_bytes); });
  });
}

far_status far_queue_destroy(far_queue* queue) {
  return guarded([&] { drop_structure(queue); });
}

far_status far_queue_push(far_queue* queue, const void* bytes, size_t count) {
  return guarded([&] { (void)push(queue, bytes, count, true); });
}

far_status far_queue_try_push(far_queue* queue, const void* bytes, size_t count, int* pushed) {
  return guarded([&] {
    check_not_null(pushed, "far_queue_try_push: the result");
    *pushed = push(queue, bytes, count, false) ? 1 : 0;
  });
}

far_status far_queue_pop(far_queue* queue, const void** bytes, size_t* count) {
  return guarded([&] { pop(queue, bytes, count, true); });
}

far_status far_queue_try_pop(far_queue* queue, const void** bytes, size_t* count) {
  return guarded([&] { pop(queue, bytes, count, false); });
}
}
