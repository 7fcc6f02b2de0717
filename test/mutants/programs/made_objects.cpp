// Shared objects whose makers wait while other ranks read and change them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "far/base/random.hpp"
#include "far/object/object_space.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::size_t max_ranks = 3;
constexpr std::size_t per_rank = 2;
constexpr std::size_t objects = max_ranks * per_rank;

/// Number 0 is the maker's; number 1 is another rank's, which changes from round to round.
using numbers = std::array<std::uint64_t, 2>;

class made_objects {
 public:
  explicit made_objects(object_space& space)
      : space_(&space),
        rank_(static_cast<std::size_t>(space.world().rank())),
        size_(static_cast<std::size_t>(space.world().size())) {
    static base::random shared(0);
    choices_ = &shared;
    if (rank_ == 0) shared = base::random(0);
    for (std::size_t i = 0; i < per_rank; ++i) {
      space.set_root(name(rank_ * per_rank + i), space.make<numbers>());
    }
    space.barrier();
    for (std::size_t k = 0; k < size_ * per_rank; ++k) at_[k] = space.root<numbers>(name(k));
  }

  void run(int rounds) {
    static std::array<numbers, objects> after;  // what is read when all have published
    if (rank_ == 0) after = {};
    space_->barrier();
    for (int round = 0; round < rounds; ++round) {
      const auto before = after;
      space_->barrier();
      change(after);
      if (choices_->below(2) == 0) run_threads(before, after);
      space_->barrier();
      // Others read it, and the maker waits or goes on.
      for (std::uint64_t n = choices_->below(5); n > 0; --n) {
        for (std::size_t k = 0; k < size_ * per_rank; ++k) {
          if (choices_->below(2) == 0) continue;
          check(space_->read(at_[k]) == after[k], "a change is not seen");
        }
        space_->refresh();
      }
      space_->barrier();
    }
  }

 private:
  static std::string name(std::size_t k) { return "made " + std::to_string(k); }

  /// The own objects, and one of the next rank's.
  void change(std::array<numbers, objects>& after) {
    for (std::size_t k = rank_ * per_rank; k < (rank_ + 1) * per_rank; ++k) {
      if (choices_->below(3) == 0) continue;
      numbers& own = space_->write(at_[k]);
      // Reading is no safe point: the reference stays valid.
      if (choices_->below(2) == 0) (void)space_->read(at_[(k + per_rank) % (size_ * per_rank)]);
      own[0] = ++after[k][0];
    }
    const std::size_t other = ((rank_ + 1) % size_) * per_rank;
    for (std::uint64_t n = choices_->below(4); n > 0; --n) {
      space_->write(at_[other])[1] = ++after[other][1];
      space_->publish();
    }
  }

  /// The rank's own thread, which has not published, waits for others.
  void run_threads(const std::array<numbers, objects>& before,
                   const std::array<numbers, objects>& after) {
    space_->world().threads(2, [&](world& own) {
      auto view = space_->on(own);
      for (std::uint64_t n = choices_->below(4); n > 0; --n) {
        const std::size_t k = choices_->below(size_ * per_rank);
        const numbers seen = view.read(at_[k]);
        for (std::size_t i = 0; i < seen.size(); ++i) {
          check(seen[i] >= before[k][i] && seen[i] <= after[k][i], "a number nobody has written");
        }
        view.refresh();
      }
    });
  }

  object_space* space_;
  std::size_t rank_;
  std::size_t size_;
  base::random* choices_;
  std::array<ref<numbers>, objects> at_;
};

const program made("made_objects", {.ranks = 3}, [](world& w) {
  object_space space(w, {.heap_bytes = 1 << 20,
                         .cache_bytes = 1 << 20,
                         .protocol = object_protocol::invalidate,
                         .migrate_after = 2});
  made_objects(space).run(8);
});

const program updated("made_and_updated", {.ranks = 3}, [](world& w) {
  object_space space(
      w, {.heap_bytes = 1 << 20, .cache_bytes = 1 << 20, .protocol = object_protocol::update});
  made_objects(space).run(8);
});

}  // namespace
}  // namespace far::mutants
