#pragma once
// Counters that each belong to one thread and lie together in a few objects: what `publish` and
// `refresh` promise. One more number in each object is guarded by the object's monitor.
//
// A read returns at least what had been published when the thread refreshed, at most what has been
// written, and nothing older than what this thread has read before. A thread's own counters are
// always what it has written last. Others read while it writes; a counter is one word. Ranks are
// fibers of one thread.

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "far/base/random.hpp"
#include "far/object/object_space.hpp"

namespace far::test {

class object_counters {
 public:
  static constexpr std::size_t objects = 2;
  static constexpr std::size_t threads_of_rank = 2;
  static constexpr std::size_t max_threads = 8;
  static constexpr std::size_t guarded = 7;  ///< the one number that the object's monitor guards
  using numbers = std::array<std::uint64_t, max_threads>;

  /// What all threads share.
  struct ghosts {
    std::array<numbers, objects> written{};
    std::array<numbers, objects> published{};
    std::array<int, objects> favourite{};  ///< a rank
    base::random choices{0};
  };

  /// What threads do.
  struct habits {
    std::uint64_t writes = 2;     ///< of 14 + writes steps
    bool home_writes = true;      ///< as often at the home as elsewhere; else a quarter of that
    std::uint64_t protocols = 0;  ///< they choose the objects' protocols, too, among so many
    bool favours = false;         ///< for a time, an object is used by one rank almost alone
  };

  object_counters(object_space& space, ghosts& all, habits how)
      : space_(&space), all_(&all), how_(how) {
    if (space.world().rank() == 0) all = {};
    space.barrier();
    for (std::size_t k = 0; k < objects; ++k) {
      const auto home = static_cast<int>(k) % space.world().size();
      if (home != space.world().rank()) continue;
      space.set_root(name(k), space.make<numbers>());
    }
    space.barrier();
    for (std::size_t k = 0; k < objects; ++k) at_[k] = space.root<numbers>(name(k));
  }

  void run(object_view& view, int steps) const {
    const auto me = static_cast<std::size_t>(view.world().rank()) * threads_of_rank +
                    static_cast<std::size_t>(view.world().thread());
    std::array<numbers, objects> own{};    // what this thread has written, by object
    std::array<numbers, objects> least{};  // what it must see
    for (int i = 0; i < steps; ++i) {
      const std::size_t k = all_->choices.below(objects);
      const std::uint64_t drawn = all_->choices.below(14 + how_.writes);
      const std::uint64_t what = drawn < how_.writes ? 0 : drawn - how_.writes + 1;
      if (how_.favours) {
        int& favourite = all_->favourite[k];
        if (all_->choices.below(48) == 0) {
          favourite = static_cast<int>(
              all_->choices.below(static_cast<std::uint64_t>(view.world().size())));
        }
        if (favourite != view.world().rank() && all_->choices.below(24) != 0) {
          if (all_->choices.below(2) == 0) view.refresh();
          continue;
        }
      }
      if (how_.protocols > 0 && all_->choices.below(8) == 0) {
        view.set_protocol(at_[k],
                          static_cast<object_protocol>(all_->choices.below(how_.protocols)));
      }
      if (what < 1) {
        const bool is_home = at_[k].rank() == view.world().rank();
        if (is_home && !how_.home_writes && all_->choices.below(4) != 0) continue;
        view.write(at_[k])[me] = all_->written[k][me] = ++own[k][me];
      } else if (what < 2) {
        publish(view, me, own);
      } else if (what < 6) {
        const auto published = all_->published;
        publish(view, me, own);
        view.refresh();
        must_see(published, least);
      } else if (what < 7) {
        const auto published = all_->published;
        std::uint64_t value = 0;
        {
          const auto lock = view.lock(at_[k]);
          must_see(published, least);
          std::uint64_t& shared = view.write(at_[k])[guarded];
          expect(shared == all_->written[k][guarded], "a guarded number is stale");
          shared = all_->written[k][guarded] = value = shared + 1;
          for (std::size_t o = 0; o < objects; ++o) all_->published[o][me] = own[o][me];
        }
        all_->published[k][guarded] = std::max(all_->published[k][guarded], value);
      } else {
        const numbers seen = view.read(at_[k]);
        expect(seen[me] == own[k][me], "a thread has lost its own change");
        for (std::size_t t = 0; t < max_threads; ++t) {
          expect(seen[t] >= least[k][t], "a number is older than it was or has been published");
          expect(seen[t] <= all_->written[k][t], "a number is one that nobody has written");
          least[k][t] = seen[t];
        }
      }
    }
  }

  /// At the end, by each rank's own thread.
  void check_all() const {
    space_->barrier();
    for (std::size_t k = 0; k < objects; ++k) {
      expect(space_->read(at_[k]) == all_->written[k], "a change is lost at the end");
    }
    space_->barrier();
  }

 private:
  void publish(object_view& view, std::size_t me, const std::array<numbers, objects>& own) const {
    view.publish();
    for (std::size_t o = 0; o < objects; ++o) all_->published[o][me] = own[o][me];
  }
  static void must_see(const std::array<numbers, objects>& published,
                       std::array<numbers, objects>& least) {
    for (std::size_t o = 0; o < objects; ++o) {
      for (std::size_t t = 0; t < max_threads; ++t) {
        least[o][t] = std::max(least[o][t], published[o][t]);
      }
    }
  }
  static std::string name(std::size_t k) { return "counters" + std::to_string(k); }
  static void expect(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  }

  object_space* space_;
  ghosts* all_;
  habits how_;
  std::array<ref<numbers>, objects> at_;
};

}  // namespace far::test
