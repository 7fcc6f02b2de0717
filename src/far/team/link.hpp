#pragma once
// Links: channels between members whose distance is a power of two. For each level k, a member has
// one link to the member 2^k after it (down) and one to the member 2^k before it (up), modulo the
// team's size. So binomial trees with any root use links only.
//
// A link transfers chunks, in order, through a ring in the receiver's block, where two of the
// longest or many short ones have room. The receiver knows how many bytes to expect.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "far/team/team_state.hpp"

namespace far::detail {

enum class direction : std::uint8_t { down, up };

[[nodiscard]] constexpr int link_at(int level, direction way) noexcept {
  return 2 * level + static_cast<int>(way);
}

/// The links of one member, for use inside one collective.
class link_set {
 public:
  link_set(fabric::context& context, team_state& team) noexcept
      : context_(&context), team_(&team) {}

  [[nodiscard]] std::size_t chunk() const noexcept { return team_->layout().chunk(); }
  [[nodiscard]] int target_of(int link) const noexcept { return partner(link, true); }
  [[nodiscard]] int source_of(int link) const noexcept { return partner(link, false); }

  /// Whether a chunk of so many bytes can be sent without waiting.
  [[nodiscard]] bool has_space(int link, std::size_t bytes) const;
  /// Sends at most chunk() bytes; waits for space. `data` can be reused when `source` is done.
  void send_chunk(int link, const std::byte* data, std::size_t bytes, fabric::completion& source);
  /// Sends any number of bytes in chunks; 0 bytes are no chunk.
  void send(int link, const std::byte* data, std::size_t bytes, fabric::completion& source);

  /// Whether the next chunk has arrived.
  [[nodiscard]] bool has_arrived(int link) const;
  /// Waits for the next chunk, of so many bytes, and returns it, in the ring. Valid until
  /// release_chunk.
  /// Errors: bad_argument if its sender is in another call.
  [[nodiscard]] const std::byte* await_chunk(int link, std::size_t bytes);
  /// Releases the chunk's part of the ring.
  void release_chunk(int link, std::size_t bytes);
  /// Receives into the caller's memory.
  void receive(int link, std::byte* to, std::size_t bytes);
  /// Receives a message and returns it: in the ring if it is one chunk, else in `room`, which must
  /// hold all of it. Valid until release_message.
  [[nodiscard]] const std::byte* receive_message(int link, std::size_t bytes, std::byte* room);
  void release_message(int link, std::size_t bytes) {
    if (bytes <= chunk()) release_chunk(link, bytes);
  }
  /// Sends on one link and receives on another at the same time, so that rings do not deadlock.
  void swap(int link_out, const std::byte* from, std::size_t bytes_out, int link_in, std::byte* to,
            std::size_t bytes_in, fabric::completion& source);

  /// Waits until the buffers of all sends can be reused.
  void finish(fabric::completion& source) {
    context_->wait(source, {"sending in a collective", -1, {}});
  }

 private:
  /// The units of a ring that a chunk takes.
  struct span_of_units {
    std::uint64_t begin;
    std::uint64_t end;
  };
  [[nodiscard]] span_of_units units_after(std::uint64_t used, std::size_t bytes) const noexcept;
  /// Whether a sender that was told so far may lack space for the next chunk.
  [[nodiscard]] bool needs_telling(const team_state::ring_counts& ring,
                                   std::size_t next_bytes) const noexcept;
  [[nodiscard]] bool pass_chunk(team_state::ring_counts& ring, std::size_t bytes) const noexcept;
  void tell_taken(int link);
  /// Before a wait for a chunk: tells its sender what it may need to send it.
  void let_send(int link, std::size_t bytes) {
    if (needs_telling(counts(link).received, bytes)) tell_taken(link);
  }
  [[nodiscard]] int partner(int link, bool target) const noexcept;
  void check_sender(int link);
  [[nodiscard]] team_state::link_counts& counts(int link) const noexcept {
    return team_->links[static_cast<std::size_t>(link)];
  }

  fabric::context* context_;
  team_state* team_;
  mutable std::uint64_t arrival_ = 0;  // the word that has_arrived has read
};

}  // namespace far::detail
