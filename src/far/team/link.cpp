// Chunk c = 0, 1, ... of a link, counted over the life of the team, uses slot c % 2 of the receiver
// R; S is the sender.
// - link_arrival(slot) at R (set to c + 1 by S, after the payload). S sends c when R has taken
//   c - 2, so no two signals of a slot are in flight at once, and the payload does not overwrite
//   data that R still reads. R waits for exactly c + 1. The high bits of the word are the code of
//   S's calls (call_trail.hpp), which R compares with its own when it takes the chunk.
// - link_taken at S (added to by R, once per chunk, in order). A count of m says that R has issued
//   m adds, so it has taken chunks 0 .. m - 1, in whatever order the adds arrive.
// Nothing is ever reset, and collectives use a link one after another without synchronization: S
// may be two chunks ahead of R, in the same collective or a later one.

#include "far/team/link.hpp"

#include <algorithm>
#include <cstring>

#include "far/team/mismatch.hpp"
#include "far/team/words.hpp"

namespace far::detail {
namespace {

constexpr std::uint64_t number_mask = (std::uint64_t{1} << call_trail::code_shift) - 1;

}  // namespace

int link_set::partner(int link, bool target) const noexcept {
  const bool after = (link % 2 == static_cast<int>(direction::down)) == target;
  const int distance = 1 << (link / 2);
  return (team_->rank() + (after ? distance : team_->size() - distance)) % team_->size();
}

bool link_set::has_space(int link) const {
  const std::uint64_t sent = counts(link).sent;
  return sent < block_layout::slots ||
         context_->peek(place(team_->block(), team_->layout().link_taken(link))) +
                 block_layout::slots >
             sent;
}

void link_set::send_chunk(int link, const std::byte* data, std::size_t bytes,
                          fabric::completion& source) {
  const int to = target_of(link);
  const fabric::address block = team_->block_of(*context_, to);
  if (!has_space(link)) {
    wait_for_member(
        *context_, *team_, [&] { return has_space(link); }, "space in a collective", to);
  }
  const std::uint64_t number = counts(link).sent++;
  const std::uint64_t slot = number % block_layout::slots;
  const fabric::put_part part{place(block, team_->layout().link_slot(link, slot)), data, bytes};
  const fabric::signal after{place(block, team_->layout().link_arrival(link, slot)),
                             (number + 1) | team_->trail.code() << call_trail::code_shift};
  context_->put({&part, 1}, nullptr, &source, &after);
}

void link_set::send(int link, const std::byte* data, std::size_t bytes,
                    fabric::completion& source) {
  for (std::size_t at = 0; at < bytes; at += chunk()) {
    send_chunk(link, data + at, std::min(chunk(), bytes - at), source);
  }
}

bool link_set::has_arrived(int link) const {
  const std::uint64_t number = counts(link).received;
  const fabric::address word =
      place(team_->block(), team_->layout().link_arrival(link, number % block_layout::slots));
  arrival_ = context_->peek(word);
  return (arrival_ & number_mask) == number + 1;
}

void link_set::check_sender(int link) {
  if (arrival_ >> call_trail::code_shift == team_->trail.code()) return;
  report_mismatch(*context_, *team_, source_of(link));
}

const std::byte* link_set::await_chunk(int link) {
  if (!has_arrived(link)) {
    wait_for_member(
        *context_, *team_, [&] { return has_arrived(link); }, "data of a collective",
        source_of(link));
  }
  check_sender(link);
  const std::uint64_t slot = counts(link).received % block_layout::slots;
  return context_->owner().local(place(team_->block(), team_->layout().link_slot(link, slot)));
}

void link_set::release_chunk(int link) {
  ++counts(link).received;
  add_remote(*context_,
             place(team_->block_of(*context_, source_of(link)), team_->layout().link_taken(link)));
}

void link_set::receive(int link, std::byte* to, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += chunk()) {
    std::memcpy(to + at, await_chunk(link), std::min(chunk(), bytes - at));
    release_chunk(link);
  }
}

const std::byte* link_set::receive_message(int link, std::size_t bytes, std::byte* room) {
  if (bytes <= chunk()) return await_chunk(link);
  receive(link, room, bytes);
  return room;
}

void link_set::swap(int link_out, const std::byte* from, std::size_t bytes_out, int link_in,
                    std::byte* to, std::size_t bytes_in, fabric::completion& source) {
  std::size_t out = 0;
  std::size_t in = 0;
  while (out < bytes_out || in < bytes_in) {
    const auto can_send = [&] { return out < bytes_out && has_space(link_out); };
    const auto can_receive = [&] { return in < bytes_in && has_arrived(link_in); };
    if (can_send()) {
      const std::size_t bytes = std::min(chunk(), bytes_out - out);
      send_chunk(link_out, from + out, bytes, source);
      out += bytes;
    } else if (can_receive()) {
      const std::size_t bytes = std::min(chunk(), bytes_in - in);
      std::memcpy(to + in, await_chunk(link_in), bytes);
      release_chunk(link_in);
      in += bytes;
    } else {
      const int other = in < bytes_in ? source_of(link_in) : target_of(link_out);
      wait_for_member(
          *context_, *team_, [&] { return can_send() || can_receive(); }, "data of a collective",
          other);
    }
  }
}

}  // namespace far::detail
