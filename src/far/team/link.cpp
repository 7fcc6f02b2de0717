// Chunks c = 0, 1, ... of a link are counted over the life of the team; R is the receiver, S the
// sender. The ring in R's block has U units (64, or 32 where chunks are very short), counted
// likewise. A chunk takes a power of two of them, at most U / 2, and begins at a multiple of that,
// so that it is contiguous; the units before it that it skips count as its own. Both know the sizes
// of all chunks, so they agree on the units of each.
// - link_arrival(c % 64) at R (set to c + 1 by S, after the payload). S sends a chunk when all
//   units up to its end but the last U are taken. So the payload does not overwrite data that R
//   still reads. Every chunk takes a unit at least, and U <= 64, so R has taken c when S sends
//   c + 64, and no two signals of a word are in flight at once. R waits for exactly c + 1. The high
//   bits of the word are the code of S's calls (call_trail.hpp), which R compares with its own when
//   it takes the chunk.
// - link_taken at S (R adds the units of chunks that it has taken). A count of u says that R has
//   issued adds of u units in all. Adds may arrive in another order: then S has counted units of
//   later chunks in place of earlier ones, all of which R has taken.
//   R adds those of several short chunks at once, because each add may wake S for one chunk more:
//   it adds when they are U / 2 or more, and before it waits for a chunk for which S may lack them.
//   After that S lacks none: the chunk ends less than U units after those that R has taken. So S
//   waits at most until R is in the same collective, where no member sends before it receives what
//   it depends on. When R adds follows from the sizes of the chunks alone, so S knows what
//   link_taken will be at last (`told`).
// Nothing is ever reset, and collectives use a link one after another without synchronization: S
// may be U units ahead of R, in the same collective or a later one.

#include "far/team/link.hpp"

#include <algorithm>
#include <bit>
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

link_set::span_of_units link_set::units_after(std::uint64_t used,
                                              std::size_t bytes) const noexcept {
  const std::uint64_t unit = team_->layout().unit_bytes();
  const std::uint64_t length = std::bit_ceil((bytes + unit - 1) / unit);
  const std::uint64_t begin = (used + length - 1) / length * length;
  return {begin, begin + length};
}

bool link_set::has_space(int link, std::size_t bytes) const {
  const std::uint64_t end = units_after(counts(link).sent.units, bytes).end;
  const std::uint64_t all = team_->layout().link_units();
  return end <= all ||
         context_->peek(place(team_->block(), team_->layout().link_taken(link))) + all >= end;
}

void link_set::send_chunk(int link, const std::byte* data, std::size_t bytes,
                          fabric::completion& source) {
  const int to = target_of(link);
  const fabric::address block = team_->block_of(*context_, to);
  if (!has_space(link, bytes)) {
    wait_for_member(
        *context_, *team_, [&] { return has_space(link, bytes); }, "space in a collective", to);
  }
  team_state::ring_counts& ring = counts(link).sent;
  const std::uint64_t number = ring.chunks;
  const span_of_units units = units_after(ring.units, bytes);
  if (needs_telling(ring, bytes)) ring.told = ring.units;
  if (pass_chunk(ring, bytes)) ring.told = ring.units;
  const fabric::put_part part{place(block, team_->layout().link_unit(link, units.begin)), data,
                              bytes};
  const fabric::signal after{place(block, team_->layout().link_arrival(link, number)),
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
  const std::uint64_t number = counts(link).received.chunks;
  const fabric::address word = place(team_->block(), team_->layout().link_arrival(link, number));
  arrival_ = context_->peek(word);
  return (arrival_ & number_mask) == number + 1;
}

void link_set::check_sender(int link) {
  if (arrival_ >> call_trail::code_shift == team_->trail.code()) return;
  report_mismatch(*context_, *team_, source_of(link));
}

bool link_set::needs_telling(const team_state::ring_counts& ring,
                             std::size_t next_bytes) const noexcept {
  return units_after(ring.units, next_bytes).end > ring.told + team_->layout().link_units();
}

/// Counts a chunk. Returns whether the receiver tells what it has taken when it has taken this one.
bool link_set::pass_chunk(team_state::ring_counts& ring, std::size_t bytes) const noexcept {
  ++ring.chunks;
  ring.units = units_after(ring.units, bytes).end;
  return ring.units - ring.told >= team_->layout().link_units() / 2;
}

void link_set::tell_taken(int link) {
  team_state::ring_counts& ring = counts(link).received;
  add_remote(*context_,
             place(team_->block_of(*context_, source_of(link)), team_->layout().link_taken(link)),
             ring.units - ring.told);
  ring.told = ring.units;
}

const std::byte* link_set::await_chunk(int link, std::size_t bytes) {
  if (!has_arrived(link)) {
    let_send(link, bytes);
    wait_for_member(
        *context_, *team_, [&] { return has_arrived(link); }, "data of a collective",
        source_of(link));
  }
  check_sender(link);
  const std::uint64_t unit = units_after(counts(link).received.units, bytes).begin;
  return context_->owner().local(place(team_->block(), team_->layout().link_unit(link, unit)));
}

void link_set::release_chunk(int link, std::size_t bytes) {
  if (pass_chunk(counts(link).received, bytes)) tell_taken(link);
}

void link_set::receive(int link, std::byte* to, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += chunk()) {
    const std::size_t piece = std::min(chunk(), bytes - at);
    std::memcpy(to + at, await_chunk(link, piece), piece);
    release_chunk(link, piece);
  }
}

const std::byte* link_set::receive_message(int link, std::size_t bytes, std::byte* room) {
  if (bytes <= chunk()) return await_chunk(link, bytes);
  receive(link, room, bytes);
  return room;
}

void link_set::swap(int link_out, const std::byte* from, std::size_t bytes_out, int link_in,
                    std::byte* to, std::size_t bytes_in, fabric::completion& source) {
  std::size_t out = 0;
  std::size_t in = 0;
  while (out < bytes_out || in < bytes_in) {
    const auto can_send = [&] {
      return out < bytes_out && has_space(link_out, std::min(chunk(), bytes_out - out));
    };
    const auto can_receive = [&] { return in < bytes_in && has_arrived(link_in); };
    if (can_send()) {
      const std::size_t bytes = std::min(chunk(), bytes_out - out);
      send_chunk(link_out, from + out, bytes, source);
      out += bytes;
    } else if (can_receive()) {
      const std::size_t bytes = std::min(chunk(), bytes_in - in);
      std::memcpy(to + in, await_chunk(link_in, bytes), bytes);
      release_chunk(link_in, bytes);
      in += bytes;
    } else {
      if (in < bytes_in) let_send(link_in, std::min(chunk(), bytes_in - in));
      const int other = in < bytes_in ? source_of(link_in) : target_of(link_out);
      wait_for_member(
          *context_, *team_, [&] { return can_send() || can_receive(); }, "data of a collective",
          other);
    }
  }
}

}  // namespace far::detail
