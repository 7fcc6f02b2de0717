#include "far/sections/release.hpp"

#include <atomic>

#include "far/sections/accumulate_lock.hpp"

namespace far {

std::optional<interrupted_accumulate> release_accumulate(const world& world) {
  const sections::accumulate_words words(world.rank());
  const auto own = [&](ptr<std::uint64_t> word) {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(world.fabric().local(word.address())));
  };
  const auto first = ptr<std::byte>::from_bits(own(words.first).load());
  const std::uint64_t bytes = own(words.bytes).exchange(0);
  const std::uint64_t holder = sections::holder_of(own(words.lock).exchange(0));
  if (holder == 0) return std::nullopt;
  return interrupted_accumulate{static_cast<int>(holder) - 1, first, bytes};
}

}  // namespace far
