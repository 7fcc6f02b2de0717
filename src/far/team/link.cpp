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
// - link_taken at S (R adds the units of each chunk, in order). A count of u says that R has issued
//   adds of u units in all. Adds may arrive in another order: then S has counted units of later
//   chunks in place of earlier ones, all of which R has taken.
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
  const std::uint64_t end = units_after(counts(link).sent_units, bytes).end;
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
  const std::uint64_t number = counts(link).sent++;
  const span_of_units units = units_after(counts(link).sent_units, bytes);
  counts(link).sent_units = units.end;
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
  const std::uint64_t number = counts(link).received;
  const fabric::address word = place(team_->block(), team_->layout().link_arrival(link, number));
  arrival_ = context_->peek(word);
  return (arrival_ & number_mask) == number + 1;
}

void link_set::check_sender(int link) {
  if (arrival_ >> call_trail::code_shift == team_->trail.code()) return;
  report_mismatch(*context_, *team_, source_of(link));
}

const std::byte* link_set::await_chunk(int link, std::size_t bytes) {
  if (!has_arrived(link)) {
    wait_for_member(
        *context_, *team_, [&] { return has_arrived(link); }, "data of a collective",
        source_of(link));
  }
  check_sender(link);
  const std::uint64_t unit = units_after(counts(link).received_units, bytes).begin;
  return context_->owner().local(place(team_->block(), team_->layout().link_unit(link, unit)));
}

void link_set::release_chunk(int link, std::size_t bytes) {
  team_state::link_counts& count = counts(link);
  ++count.received;
  const std::uint64_t before = count.received_units;
  count.received_units = units_after(before, bytes).end;
  add_remote(*context_,
             place(team_->block_of(*context_, source_of(link)), team_->layout().link_taken(link)),
             count.received_units - before);
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
      const int other = in < bytes_in ? source_of(link_in) : target_of(link_out);
      wait_for_member(
          *context_, *team_, [&] { return can_send() || can_receive(); }, "data of a collective",
          other);
    }
  }
}

}  // namespace far::detail
