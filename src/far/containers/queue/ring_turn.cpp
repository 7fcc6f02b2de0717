#include "far/containers/queue/ring_turn.hpp"

#include <algorithm>
#include <array>

#include "far/containers/queue/ring.hpp"
#include "far/fabric/context.hpp"
#include "far/rma/transfer.hpp"

namespace far::containers {
namespace {

constexpr bool is_note_of(std::uint64_t pos, std::uint64_t word) noexcept {
  return word - pos - 1 < ring_notes;
}

}  // namespace

void ring_turn::follow(std::uint64_t pos, std::uint64_t end, std::uint64_t seen) const {
  constexpr int sleepy_looks = 4;  // the rank whose turn it is takes less, unless it sleeps
  // The host may have settled the claim (transferred_claims.hpp).
  if (seen >= end && seen < ring_closed) return;
  if (end - pos <= ring_notes) put(world_, note(pos), end);
  fabric::turn wait;
  for (int still = 0;;) {
    const bool helps = seen < pos && still >= sleepy_looks;
    if (seen == pos || helps) {
      still = 0;
      const std::uint64_t next = end_of_notes(helps ? seen : end);
      if (next > seen && cursor_.compare_exchange(seen, next)) seen = next;
    }
    if (seen >= end && seen < ring_closed) return;
    world_.context().await_turn(wait);
    const std::uint64_t now = cursor_.load();
    still = now == seen ? still + 1 : 0;
    seen = now;
  }
}

/// The end of the chain of noted claims that begins at `pos`; `pos` if there is none.
std::uint64_t ring_turn::end_of_notes(std::uint64_t pos) const {
  constexpr std::uint64_t max_at_once = 8;
  const std::uint64_t limit = pos + ring_notes;
  const bool one_by_one = world_.fabric().coherent();
  while (pos < limit) {
    std::array<std::uint64_t, max_at_once> words{};
    const std::uint64_t n = one_by_one ? 1 : max_at_once;
    if (one_by_one) {
      words[0] = get(world_, note(pos));
    } else {
      fabric::completion got;  // each is a get of its own, because words are whole and lists not
      for (std::uint64_t i = 0; i < n; ++i) {
        const get_part part{note(pos + i).address(), &words[i], sizeof(words[i])};
        world_.context().get({&part, 1}, &got);
      }
      world_.context().wait(got, {"notes of a queue", notes_.rank(), notes_.address()});
    }
    const std::uint64_t first = pos;
    while (pos < first + n && is_note_of(pos, words[pos - first])) pos = words[pos - first];
    if (pos < first + n) return pos;
  }
  return pos;
}

}  // namespace far::containers
