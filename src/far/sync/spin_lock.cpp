#include "far/sync/spin_lock.hpp"

namespace far {

bool spin_lock_view::try_once() const {
  std::uint64_t seen = 0;
  return word().compare_exchange(seen, name());
}

bool spin_lock_view::enter(fabric::deadline_ns deadline) {
  use_->check_enters("spin_lock", view_.rank());
  use_->holds = try_once();
  if (use_->holds) return true;
  sync::retries turns(view_, word_, how_, use_->memory, deadline);
  while (turns.wait()) {
    if (how_ == back_off::best && word().load() != 0) continue;
    use_->holds = try_once();
    if (use_->holds) return true;
  }
  return false;
}

void spin_lock_view::unlock() {
  sync::lock_use::check_leaves("spin_lock", view_.rank(), use_->holds);
  use_->holds = false;
  sync::release_lock(view_, [&] { word().add(0 - name()); });
}

spin_lock::spin_lock(const world& view, int home, back_off how)
    : lock_words(view, "spin_lock", home, 1),
      spin_lock_view(view, words_at(home), use_of(view), how),
      home_(home),
      how_(how) {}

}  // namespace far
