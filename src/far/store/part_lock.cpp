#include "far/store/part_lock.hpp"

#include "far/base/relax.hpp"
#include "far/sync/line.hpp"
#include "far/sync/lock_use.hpp"

namespace far::stores {

bool part_lock::look(bool is_first) const noexcept {
  constexpr int looks = 64;  // some 3 us: a few changes take that long
  for (int i = 0; i < looks; ++i) {
    std::uint64_t seen = rma::load_word<std::uint64_t>(word_);
    // The first in line takes its mark away with the lock.
    const bool is_free = (is_first ? seen & ~wanted : seen) == 0;
    if (is_free && compare_exchange(seen, mine_)) return true;
    base::relax();
  }
  return false;
}

void part_lock::wait(const world& world, ptr<std::uint64_t> line_word) const {
  // Who stands in the line may be asleep when it is the first, so the line is for long waits.
  if (look(false)) return;
  constexpr int rounds_before_mark = 4;
  const sync::line line(world, line_word);
  line.enter();
  for (int round = 0; !look(true); ++round) {
    if (round >= rounds_before_mark) {
      std::uint64_t seen = rma::load_word<std::uint64_t>(word_);
      if ((seen & wanted) == 0) (void)compare_exchange(seen, seen | wanted);
    }
    // It does not nap, for nobody takes what it has marked.
    fabric::turn short_rest;
    world.context().await_turn(short_rest);
  }
  sync::release_lock(world, [&] { line.leave(); });
}

}  // namespace far::stores
