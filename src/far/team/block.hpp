#pragma once
// A member's block: memory in its local segment that the other members write to.
//
//   counter words, notes | results | link rings | lane slots | the leader's member table and
//   deposits
//
// All members compute the same offsets. The words start at zero and only grow. The files that use
// a word say which member writes it and why two writes cannot arrive in the wrong order:
// rendezvous.cpp, link.cpp, exchange.cpp, matching.cpp. The notes are their owner's
// (call_trail.hpp).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "far/base/language.hpp"
#include "far/team/call_trail.hpp"

namespace far::detail {

/// Alignment unit of a block: data that different ranks write never share a cache line.
struct alignas(64) cache_line {
  std::byte bytes[64];
};

class block_layout {
 public:
  static constexpr std::uint64_t word = sizeof(std::uint64_t);
  static constexpr std::uint64_t line = sizeof(cache_line);
  static constexpr std::uint64_t deposit_bytes = 512;  ///< max that a member brings to a rendezvous
  static constexpr std::uint64_t result_bytes = 4096;  ///< max that it receives from one
  static constexpr std::uint64_t slots = 2;            ///< per lane, and per link for full chunks
  static constexpr std::uint64_t arrivals = 64;        ///< words for chunks in flight on a link
  static constexpr std::uint64_t lanes = 4;            ///< concurrent partners in an exchange
  static constexpr std::uint64_t ring = 32;            ///< calls that matching keeps

  block_layout() = default;
  /// `node_members`: number of members on this member's node; it changes only the leader's part at
  /// the end. `heap_bytes`: capacity of each rank's local segment.
  block_layout(int team_size, int node_members, std::uint64_t heap_bytes);

  /// Number of distances that links span: the powers of two below the team's size.
  [[nodiscard]] int levels() const noexcept { return levels_; }
  [[nodiscard]] int links() const noexcept { return 2 * levels_; }
  /// Max length of a chunk in bytes.
  [[nodiscard]] std::uint64_t chunk() const noexcept { return chunk_; }
  /// A link's ring has room for `slots` chunks of that length, in units, of which shorter chunks
  /// take fewer. At most as many as there are arrival words.
  [[nodiscard]] std::uint64_t link_units() const noexcept { return slots * chunk_ / unit_; }
  [[nodiscard]] std::uint64_t unit_bytes() const noexcept { return unit_; }

  // Rendezvous (rendezvous.cpp).
  [[nodiscard]] static constexpr std::uint64_t counter() noexcept { return 0; }
  [[nodiscard]] static constexpr std::uint64_t release() noexcept { return line; }
  [[nodiscard]] static constexpr std::uint64_t node_ready() noexcept { return 2 * line; }
  [[nodiscard]] std::uint64_t round(int level) const noexcept { return rounds_ + lines(level); }
  [[nodiscard]] std::uint64_t results() const noexcept { return results_; }
  [[nodiscard]] std::uint64_t member_table() const noexcept { return table_; }
  [[nodiscard]] std::uint64_t deposits() const noexcept { return deposits_; }

  // Matching (matching.cpp).
  [[nodiscard]] static constexpr std::uint64_t calls() noexcept { return 3 * line; }
  [[nodiscard]] static constexpr std::uint64_t claim(std::uint64_t call) noexcept {
    return 4 * line + call % ring * word;
  }
  [[nodiscard]] static constexpr std::uint64_t record(std::uint64_t call) noexcept {
    return 4 * line + ring * word + call % ring * line;
  }

  // The notes of the last calls (call_trail.hpp).
  [[nodiscard]] static constexpr std::uint64_t trail() noexcept { return record(0) + ring * line; }

  // Links (link.cpp).
  [[nodiscard]] std::uint64_t link_arrival(int link, std::uint64_t chunk) const noexcept {
    return arrivals_ + (static_cast<std::uint64_t>(link) * arrivals + chunk % arrivals) * word;
  }
  [[nodiscard]] std::uint64_t link_taken(int link) const noexcept { return taken_ + lines(link); }
  [[nodiscard]] std::uint64_t link_unit(int link, std::uint64_t unit) const noexcept {
    return link_rings_ + static_cast<std::uint64_t>(link) * slots * chunk_ +
           unit % link_units() * unit_;
  }

  // Exchanges (exchange.cpp).
  [[nodiscard]] std::uint64_t lane_arrival(std::uint64_t lane, std::uint64_t slot) const noexcept {
    return lane_arrivals_ + lane * line + slot * word;
  }
  [[nodiscard]] std::uint64_t grant(int member) const noexcept {
    return grants_ + static_cast<std::uint64_t>(member) * word;
  }
  [[nodiscard]] std::uint64_t lane_slot(std::uint64_t lane, std::uint64_t slot) const noexcept {
    return lane_slots_ + (lane * slots + slot) * chunk_;
  }

  [[nodiscard]] std::uint64_t bytes(bool leader) const noexcept { return leader ? end_ : table_; }

 private:
  [[nodiscard]] static constexpr std::uint64_t lines(int n) noexcept {
    return static_cast<std::uint64_t>(n) * line;
  }

  int levels_ = 0;
  std::uint64_t chunk_ = 0;
  std::uint64_t unit_ = 0;
  std::uint64_t rounds_ = 0;
  std::uint64_t arrivals_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t lane_arrivals_ = 0;
  std::uint64_t grants_ = 0;
  std::uint64_t results_ = 0;
  std::uint64_t link_rings_ = 0;
  std::uint64_t lane_slots_ = 0;
  std::uint64_t table_ = 0;
  std::uint64_t deposits_ = 0;
  std::uint64_t end_ = 0;
};

inline block_layout::block_layout(int team_size, int node_members, std::uint64_t heap_bytes)
    : levels_(static_cast<int>(std::bit_width(static_cast<unsigned>(team_size) - 1))) {
  // For long transfers, slots should be large but fit in a second-level cache. A job of very many
  // ranks has little memory per rank, and most of a heap belongs to the program.
  constexpr std::uint64_t longest = 32768;
  constexpr std::uint64_t shortest = 1024;
  const std::uint64_t budget =
      std::min(std::uint64_t{team_size <= 64 ? 1u << 20 : 1u << 18}, heap_bytes / 8);
  const auto slot_count = (static_cast<std::uint64_t>(links()) + lanes) * slots;
  chunk_ = std::clamp(std::bit_floor(budget / slot_count), shortest, longest);
  unit_ = std::max(slots * chunk_ / arrivals, line);

  const auto round_up = [](std::uint64_t n) { return (n + line - 1) / line * line; };
  rounds_ = trail() + round_up(call_trail::kept * sizeof(call_note));
  arrivals_ = rounds_ + lines(levels_);
  taken_ = arrivals_ + static_cast<std::uint64_t>(links()) * arrivals * word;
  lane_arrivals_ = taken_ + lines(links());
  grants_ = lane_arrivals_ + lanes * line;
  results_ = grants_ + round_up(static_cast<std::uint64_t>(team_size) * word);
  link_rings_ = results_ + result_bytes;
  lane_slots_ = link_rings_ + static_cast<std::uint64_t>(links()) * slots * chunk_;
  table_ = lane_slots_ + lanes * slots * chunk_;
  deposits_ = table_ + round_up(static_cast<std::uint64_t>(node_members) * word);
  end_ = deposits_ + static_cast<std::uint64_t>(node_members) * deposit_bytes;
}

}  // namespace far::detail
