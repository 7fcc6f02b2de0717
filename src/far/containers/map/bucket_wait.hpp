#pragma once
// The wait of an operation for a bucket that another has locked.
//
// The operation stands in the line of the bucket's home, and only the first in line looks at its
// bucket. If it does not find it unlocked after a few looks, it marks its flag as wanted; who comes
// to a wanted bucket stands in line, too. So an operation waits for a few turns of each before it.
// Until the mark, who has just changed the bucket may change it again, which costs less than
// handing it over: the bucket is in its cache. The line is one for all buckets of a home, in all
// maps: the functions of updates do not communicate, so nobody stands in line with a bucket locked.
//
// Routines over futures and the functions of calls stand in no line. They lock a wanted bucket if
// they find it unlocked.

#include <cstdint>

#include "far/containers/map/bucket_flag.hpp"
#include "far/fabric/context.hpp"
#include "far/sync/lock_use.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// A thread's place in the line of a home.
class line_place {
 public:
  [[nodiscard]] bool is_first() const noexcept { return view_ != nullptr; }
  [[nodiscard]] const world& view() const noexcept { return *view_; }
  /// Returns when this thread is the first. `view` outlives the place. Errors: rank_failed.
  void enter(const world& view, int home);
  void leave() const;

 private:
  const world* view_ = nullptr;  ///< not null: is the first
  int home_ = 0;
};

/// `Access`: of waited_operations. It outlives the wait.
template <class Access>
class bucket_wait {
 public:
  bucket_wait() noexcept = default;
  ~bucket_wait() {
    if (place_.is_first()) [[unlikely]]
      end();
  }
  bucket_wait(const bucket_wait&) = delete;
  bucket_wait& operator=(const bucket_wait&) = delete;

  /// Whether a bucket that is not locked is another's.
  [[nodiscard]] bool is_behind(bucket_flag::word flag) const noexcept {
    return bucket_flag::is_wanted(flag) && !place_.is_first();
  }
  /// Returns when the bucket is to be looked at again. Makes progress meanwhile.
  /// Errors: rank_failed.
  [[gnu::noinline]] void rest(const Access& part, std::uint64_t index) {
    if (!place_.is_first()) return place_.enter(part.view(), part.home());
    if (part_ != nullptr && index_ != index) unmark();
    if (part_ == nullptr && looks_++ >= looks_before_mark) {
      (void)part.add(index, bucket_flag::wanted);
      part_ = &part;
      index_ = index;
    }
    place_.view().context().await_turn(turn_);
  }
  /// The mark in the bucket's flag, which goes when this operation locks the bucket.
  [[nodiscard]] bucket_flag::word mark(std::uint64_t index) const noexcept {
    return part_ != nullptr && index_ == index ? bucket_flag::wanted : 0;
  }
  /// Has locked the bucket.
  void got(std::uint64_t index) noexcept {
    if (mark(index) != 0) part_ = nullptr;
  }

 private:
  void unmark() {
    (void)part_->add(index_, -bucket_flag::wanted);
    part_ = nullptr;
  }
  [[gnu::noinline]] void end() {
    sync::release_lock(place_.view(), [&] {
      if (part_ != nullptr) unmark();
      place_.leave();
    });
  }

  // With 64 ranks at one key: 0, 4 and 12 make the longest wait 1.2, 3.9 and 11 times the mean, and
  // 1.2, 1.9 and 2.3 million updates a second (sim, xeon-16).
  static constexpr int looks_before_mark = 4;

  line_place place_;
  const Access* part_ = nullptr;  ///< not null: has marked a bucket
  std::uint64_t index_ = 0;       ///< that bucket
  int looks_ = 0;                 ///< as the first, before the mark
  fabric::turn turn_;
};

/// For accesses that stand in no line.
struct no_bucket_wait {
  [[nodiscard]] static bool is_behind(bucket_flag::word) noexcept { return false; }
  [[nodiscard]] static bucket_flag::word mark(std::uint64_t) noexcept { return 0; }
  static void got(std::uint64_t) noexcept {}
};

}  // namespace far::containers
