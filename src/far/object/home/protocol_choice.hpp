#pragma once
// Whether a region's copies are revoked or updated when it changes, by what its home observes.
//
// An update spares a rank a fetch if the rank reads the region before it is updated again; else it
// was for nothing. So the home keeps an account of each rank that reads a region: what it has been
// sent since it last read. While copies are revoked, that is what it would have been sent. When the
// rank reads, the fetch that it has been spared, or that it has made, is set against that; when
// updates have cost as much as two fetches before it has read, they are put down as a loss. Both go
// into the region's balance, in fetches. Updates end when they have lost two fetches, and begin
// again when they would have saved some; each time, more than the time before.
//
// A message costs as much as some KB, so what matters most is how many regions share one: an object
// that changes together with many others is updated nearly for free, while each of them would be
// fetched by a message of its own.
//
// Regions start with updates, as kept copies must be told of a change anyway. But objects of a type
// are mostly used alike: a region without a balance of its own follows that of its type.
//
// Threads: guarded by part::mutex.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/object/options.hpp"

namespace far::objects {

/// What a message costs, as so many bytes: about what a network transfers in the time that a
/// message takes.
inline constexpr std::size_t bytes_of_message = 8192;

[[nodiscard]] constexpr std::size_t cost_of_fetch(std::size_t bytes) noexcept {
  return bytes_of_message + bytes;
}
/// What a region's part of a message costs that updates so many regions.
[[nodiscard]] constexpr std::size_t cost_of_update(std::size_t bytes,
                                                   std::size_t regions) noexcept {
  return bytes_of_message / regions + bytes;
}

/// What is known of all regions of a type.
class type_habit {
 public:
  [[nodiscard]] bool updates() const noexcept { return balance_ > loss; }
  void add(float fetches) noexcept;

 private:
  static constexpr float loss = -8;
  static constexpr float limit = 16;

  float balance_ = 0;
};

class protocol_choice {
 public:
  /// `type`, which is that of the region's objects, must live as long.
  protocol_choice(object_protocol chosen, type_habit& type) noexcept
      : type_(&type), chosen_(chosen) {}

  void choose(object_protocol protocol) noexcept { chosen_ = protocol; }
  [[nodiscard]] object_protocol chosen() const noexcept { return chosen_; }
  [[nodiscard]] bool updates() const noexcept;
  /// Updates are written in place, where that is possible. Then no account is kept of them.
  [[nodiscard]] bool in_place() const noexcept {
    return chosen_ == object_protocol::update_in_place;
  }
  /// Whether the region has a balance of its own.
  [[nodiscard]] bool is_judged() const noexcept { return judged_; }
  /// Changes that came while there were copies.
  [[nodiscard]] std::uint32_t changes() const noexcept { return changes_; }
  /// Updates: that were sent, or would have been.
  [[nodiscard]] std::uint32_t sent() const noexcept { return sent_; }
  /// What they cost, or would have, in fetches.
  [[nodiscard]] double cost() const noexcept { return cost_; }
  /// Updates that have spared a fetch, or would have.
  [[nodiscard]] std::uint32_t read() const noexcept { return read_; }
  /// Ranks that have read no more.
  [[nodiscard]] std::uint32_t left() const noexcept { return left_; }

  /// A rank has changed the region, together with others: of so many regions in all. `bytes`: of
  /// what has been changed; 0 if it is not known.
  void changed(int writer, std::size_t bytes, std::size_t regions);
  /// A rank has fetched a region of so many bytes.
  void fetched(int rank, std::size_t bytes);
  /// A rank has answered an update, and whether it had read the copy since the one before.
  void updated(int rank, std::size_t cost, bool was_read);
  /// A rank has left out an update, since it no longer reads its copy.
  void left_out(int rank);

 private:
  struct reader {
    int rank;
    float unread = 0;  ///< updates since it last read, in fetches
  };

  [[nodiscard]] reader* find(int rank) noexcept;
  [[nodiscard]] float in_fetches(std::size_t cost) const noexcept;
  [[nodiscard]] bool charge(reader& r, float cost) noexcept;
  void credit(reader& r) noexcept;
  void add(float fetches) noexcept;

  type_habit* type_;
  object_protocol chosen_;
  bool judged_ = false;
  bool updates_ = false;  ///< once it is judged
  float balance_ = 0;
  float wanted_ = 2;  ///< a balance with which updates begin again
  std::size_t fetch_bytes_ = 0;
  std::size_t change_bytes_ = 0;  ///< of the last change
  std::vector<reader> readers_;
  std::uint32_t changes_ = 0;
  std::uint32_t sent_ = 0;
  double cost_ = 0;
  std::uint32_t read_ = 0;
  std::uint32_t left_ = 0;
};

}  // namespace far::objects
