#pragma once
// Links: what members at distances of powers of two send each other in. Every member has, for each
// level k, one link to the member 2^k after it (down) and one to the member 2^k before it (up),
// around the end of the team; so binomial trees from any root run on links.
//
// A link carries chunks, in order, through two slots in the receiver's block. The receiver knows
// how many bytes to expect.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "far/team/team_state.hpp"

namespace far::detail {

enum class direction : std::uint8_t { down, up };

[[nodiscard]] constexpr int link_at(int level, direction way) noexcept {
  return 2 * level + static_cast<int>(way);
}

/// The links of one member, while it is inside a collective.
class link_set {
 public:
  link_set(fabric::context& context, team_state& team) noexcept
      : context_(&context), team_(&team) {}

  [[nodiscard]] std::size_t chunk() const noexcept { return team_->layout().chunk(); }
  [[nodiscard]] int target_of(int link) const noexcept { return partner(link, true); }
  [[nodiscard]] int source_of(int link) const noexcept { return partner(link, false); }

  /// Whether a chunk can be sent without waiting.
  [[nodiscard]] bool has_room(int link) const;
  /// Sends at most chunk() bytes; waits for room. `data` is free when `source` is done.
  void send_chunk(int link, const std::byte* data, std::size_t bytes, fabric::completion& source);
  /// Sends any number of bytes: none takes no chunk.
  void send(int link, const std::byte* data, std::size_t bytes, fabric::completion& source);

  /// Whether the next chunk is there.
  [[nodiscard]] bool has_arrived(int link) const;
  /// The next chunk, in its slot, once it is there. Stays until release.
  [[nodiscard]] const std::byte* await_chunk(int link);
  /// Gives the slot of the chunk back.
  void release_chunk(int link);
  /// Receives into memory of the caller.
  void receive(int link, std::byte* to, std::size_t bytes);
  /// Receives a message: in place if it is one chunk, then release_chunk gives it back; else in
  /// `room`, which holds it all.
  [[nodiscard]] const std::byte* receive_message(int link, std::size_t bytes, std::byte* room);
  void release_message(int link, std::size_t bytes) {
    if (bytes <= chunk()) release_chunk(link);
  }
  /// Sends on one link and receives on another at the same time, so that rings do not lock up.
  void swap(int link_out, const std::byte* from, std::size_t bytes_out, int link_in, std::byte* to,
            std::size_t bytes_in, fabric::completion& source);

  /// Waits until the buffers of all sends are free.
  void finish(fabric::completion& source) {
    context_->wait(source, {"sending in a collective", -1, {}});
  }

 private:
  [[nodiscard]] int partner(int link, bool target) const noexcept;
  [[nodiscard]] team_state::link_counts& counts(int link) const noexcept {
    return team_->links[static_cast<std::size_t>(link)];
  }

  fabric::context* context_;
  team_state* team_;
};

}  // namespace far::detail
