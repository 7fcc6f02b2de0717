#pragma once
// Whether a region's copies are revoked or updated when it changes, by what its home observes.
//
// A copy that is sent each change saves its rank a fetch, if it reads the region before the next
// one; else the message was for nothing. So updates begin when changes have been fetched by others
// several times more often than not, and end when a rank tells that it has not read them. A region
// that changes its habits again and again has to prove itself for longer each time.
//
// Threads: guarded by part::mutex.

#include <algorithm>
#include <cstdint>

#include "far/object/options.hpp"

namespace far::objects {

class protocol_choice {
 public:
  explicit protocol_choice(object_protocol chosen) noexcept { choose(chosen); }

  void choose(object_protocol protocol) noexcept {
    chosen_ = protocol;
    if (protocol != object_protocol::automatic) updates_ = protocol == object_protocol::update;
  }
  [[nodiscard]] object_protocol chosen() const noexcept { return chosen_; }
  [[nodiscard]] bool updates() const noexcept { return updates_; }
  [[nodiscard]] std::uint32_t changes() const noexcept { return changes_; }
  [[nodiscard]] std::uint32_t read() const noexcept { return read_; }
  [[nodiscard]] std::uint32_t left() const noexcept { return left_; }

  void changed() noexcept {
    ++changes_;
    if (unread_ && score_ > 0) --score_;
    unread_ = true;
    if (score_ == 0) stop();
  }
  void fetched() noexcept {
    if (!unread_) return;
    unread_ = false;
    ++read_;
    if (score_ < max_wanted) ++score_;
    if (score_ >= wanted_ && chosen_ == object_protocol::automatic) updates_ = true;
  }
  /// Kept copies have been sent the change, so nobody need fetch it.
  void sent() noexcept { unread_ = false; }
  /// A rank no longer reads its copy.
  void left_out() noexcept {
    ++left_;
    score_ = std::max(score_ - cost_of_leaving, 0);
    if (score_ == 0) stop();
  }

 private:
  static constexpr int first_wanted = 3;
  static constexpr int max_wanted = 48;
  static constexpr int cost_of_leaving = 2;

  void stop() noexcept {
    if (!updates_ || chosen_ != object_protocol::automatic) return;
    updates_ = false;
    wanted_ = std::min(wanted_ * 2, max_wanted);
  }

  object_protocol chosen_ = object_protocol::automatic;
  bool updates_ = false;
  bool unread_ = false;  ///< it has been changed, and nobody has fetched it since
  int score_ = 0;        ///< changes that others have fetched, less those that nobody has
  int wanted_ = first_wanted;
  std::uint32_t changes_ = 0;
  std::uint32_t read_ = 0;
  std::uint32_t left_ = 0;
};

}  // namespace far::objects
