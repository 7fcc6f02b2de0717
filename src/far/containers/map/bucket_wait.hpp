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
#include <memory>

#include "far/containers/map/bucket_flag.hpp"
#include "far/fabric/context.hpp"
#include "far/memory/ptr.hpp"
#include "far/memory/reserved.hpp"
#include "far/sync/line.hpp"
#include "far/sync/lock_use.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// A wait by `Access`, of waited_operations, which outlives it. Most operations do not wait, so all
/// that it needs is made by the first rest.
template <class Access>
class bucket_wait {
 public:
  bucket_wait() noexcept = default;
  ~bucket_wait() {
    if (first_ != nullptr) [[unlikely]]
      end();
  }
  bucket_wait(const bucket_wait&) = delete;
  bucket_wait& operator=(const bucket_wait&) = delete;

  /// Whether the first in line wants the bucket, and this operation is not the first.
  [[nodiscard]] bool is_behind(bucket_flag::word flag) const noexcept {
    return bucket_flag::is_wanted(flag) && first_ == nullptr;
  }
  /// Returns when the bucket is to be looked at again. Makes progress meanwhile.
  /// Errors: rank_failed.
  [[gnu::noinline]] void rest(const Access& part, std::uint64_t index) {
    if (first_ == nullptr) {
      auto place = std::make_unique<first_in_line>(part);
      place->line.enter();
      first_ = place.release();
      return;
    }
    first_->look(index);
  }
  /// The mark in the bucket's flag, which goes when this operation locks the bucket.
  [[nodiscard]] bucket_flag::word mark(std::uint64_t index) const noexcept {
    return first_ != nullptr && first_->has_marked(index) ? bucket_flag::wanted : 0;
  }
  /// Has locked the bucket.
  void got(std::uint64_t index) noexcept {
    if (mark(index) != 0) first_->marks = false;
  }

 private:
  struct first_in_line {
    // With 64 ranks at one key: 0, 4 and 12 make the longest wait 1.2, 3.9 and 11 times the mean,
    // and 1.2, 1.9 and 2.3 million updates a second (sim, xeon-16).
    static constexpr int looks_before_mark = 4;

    explicit first_in_line(const Access& of)
        : part(of), line(of.world(), ptr<std::uint64_t>(memory::reserved_word(of.home(), 40))) {}

    const Access& part;
    sync::line line;
    fabric::turn turn = {};
    int looks = 0;
    bool marks = false;
    std::uint64_t index = 0;  ///< of the bucket that it has marked

    [[nodiscard]] bool has_marked(std::uint64_t at) const noexcept { return marks && index == at; }
    void look(std::uint64_t at) {
      if (marks && index != at) unmark();
      if (!marks && looks++ >= looks_before_mark) {
        (void)part.add(at, bucket_flag::wanted);
        marks = true;
        index = at;
      }
      part.world().context().await_turn(turn);
    }
    void unmark() {
      (void)part.add(index, -bucket_flag::wanted);
      marks = false;
    }
  };

  [[gnu::noinline]] void end() {
    const std::unique_ptr<first_in_line> place(first_);
    sync::release_lock(place->part.world(), [&] {
      if (place->marks) place->unmark();
      place->line.leave();
    });
  }

  first_in_line* first_ = nullptr;
};

/// For accesses that stand in no line.
struct no_bucket_wait {
  [[nodiscard]] static bool is_behind(bucket_flag::word) noexcept { return false; }
  [[nodiscard]] static bucket_flag::word mark(std::uint64_t) noexcept { return 0; }
  static void got(std::uint64_t) noexcept {}
};

}  // namespace far::containers
