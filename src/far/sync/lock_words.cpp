#include "far/sync/lock_words.hpp"

#include <algorithm>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/memory/allocate.hpp"
#include "far/team/agreement.hpp"

namespace far::sync {

lock_words::lock_words(const world& view, const char* lock, int home, std::uint64_t words)
    : view_(view), lock_(lock), uses_(static_cast<std::size_t>(view.fabric().max_contexts())) {
  if (home < 0 || home >= view.size()) {
    throw bad_argument(fmt::format("{}: rank {} cannot be its home: the job has {} ranks", lock,
                                   home, view.size()));
  }
  own_ = allocate<std::uint64_t>(view, words);
  const std::uint64_t kind = far::hash<std::string_view>{}(lock);
  const std::uint64_t place =
      base::hash_combine(own_.on(0).bits(), base::mix(static_cast<unsigned>(home)));
  if (!detail::all_agree(view, base::hash_combine(kind, place))) {
    deallocate(view, own_);
    throw bad_argument(
        fmt::format("rank {} makes a lock, {}, at rank {}, other ranks make another object: "
                    "distributed objects are made by all ranks in the same order",
                    view.rank(), lock, home));
  }
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    uses_[i].memory.random =
        base::random(base::hash_combine(static_cast<unsigned>(view.rank()), i));
  }
}

lock_words::~lock_words() {
  try {
    // Complete unlocks that did not wait for their effect.
    if (!scope_.is_unwinding()) view_.context().flush();
  } catch (const std::exception&) {
    // The job has failed: its memory goes with it.
  }
  scope_.leave(view_);
  try {
    deallocate(view_, own_);
  } catch (const std::exception&) {
    // As above.
  }
}

void lock_words::check_unused() const {
  const bool is_used =
      std::ranges::any_of(uses_, [](const retrying_use& use) { return use.holds || use.shares; });
  FAR_DCHECK(!is_used || scope_.is_unwinding(),
             fmt::format("{}: destroyed while its rank holds it", lock_).c_str());
}

}  // namespace far::sync
