#include "far/store/part_lock.hpp"

#include "far/sync/line.hpp"
#include "far/sync/lock_use.hpp"

namespace far::stores {

void part_lock::wait(const world& world, ptr<std::uint64_t> line_word) const {
  constexpr int looks_before_mark = 4;
  const sync::line line(world, line_word);
  line.enter();
  fabric::turn turn;
  for (int looks = 0;; ++looks) {
    std::uint64_t seen = rma::load_word<std::uint64_t>(word_);
    // The first in line takes its mark away with the lock.
    if ((seen & ~wanted) == 0 && compare_exchange(seen, mine_)) break;
    if (looks >= looks_before_mark && (seen & wanted) == 0) {
      (void)compare_exchange(seen, seen | wanted);
    }
    world.context().await_turn(turn);
  }
  sync::release_lock(world, [&] { line.leave(); });
}

}  // namespace far::stores
