#include "far/object/home.hpp"

#include <algorithm>
#include <memory>

#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// After so many fetches without a write a region counts as read-only again.
constexpr int quiet = 4;

}  // namespace

bool region_directory::fetched(std::uint64_t offset, int rank, std::uint64_t number) {
  entry& e = entries_[offset];
  auto at = std::ranges::find(e.users, rank, &user::rank);
  if (at != e.users.end() && at->number == number) return at->kept;  // another part of the region
  if (at == e.users.end()) at = e.users.insert(at, {rank, 0, false, false});
  if (e.changes && ++e.quiet_fetches > quiet) e.changes = false;
  const bool written_here = part_->tell_own_writers(offset);
  *at = {rank, number, !e.changes && !written_here, true};
  return at->kept;
}

void region_directory::left(std::uint64_t offset, int rank, std::uint64_t number) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return;
  std::erase_if(found->second.users,
                [&](const user& u) { return u.rank == rank && u.number == number; });
  drop_if_unused(offset);
}

void region_directory::changed(outbox& out, std::uint64_t offset, int writer) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return;
  entry& e = found->second;
  e.changes = true;
  e.quiet_fetches = 0;
  e.writes_in_turn = e.last_writer == writer ? e.writes_in_turn + 1 : 1;
  e.last_writer = writer;
  for (user& u : e.users) {
    if (u.rank == writer) continue;
    u.current = false;
    if (!u.kept) continue;
    u.kept = false;
    ++e.revoking;
    out.revocations.push_back({u.rank, offset});
  }
}

void region_directory::finish(outbox& out, pending_change* change) {
  for (const std::uint64_t offset : change->regions) {
    const auto found = entries_.find(offset);
    if (found == entries_.end() || found->second.revoking == 0) continue;
    found->second.waiting.push_back(change);
    ++change->awaited;
  }
  if (change->awaited == 0) conclude(out, change);
}

void region_directory::forget(const pending_change& change) {
  for (auto& [offset, e] : entries_) std::erase(e.waiting, &change);
}

void region_directory::revoked(outbox& out, std::uint64_t offset) {
  entry& e = entries_.at(offset);
  if (--e.revoking > 0) return;
  const auto waiting = std::move(e.waiting);
  e.waiting.clear();
  for (pending_change* const change : waiting) {
    if (--change->awaited == 0) conclude(out, change);
  }
  drop_if_unused(offset);
}

void region_directory::conclude(outbox& out, pending_change* change) {
  if (!change->token.expects_reply()) {
    change->done = true;
    out.wakes = true;
    return;
  }
  const std::unique_ptr<pending_change> owned(change);
  held_reply answer{change->token, {}};
  for (const std::uint64_t offset : change->regions) {
    answer.bytes.push_back(std::byte{verdict(offset, change->writer)});
  }
  out.replies.push_back(std::move(answer));
}

/// Whether a writer may keep its copy. If others write in turn with it, it does better without: its
/// successor then need not wait for a revocation.
bool region_directory::verdict(std::uint64_t offset, int writer) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return false;
  entry& e = found->second;
  const auto at = std::ranges::find(e.users, writer, &user::rank);
  if (at == e.users.end()) return false;
  // Not taken back here: the rank would use it until this answer arrives.
  if (at->kept) return true;
  const bool alone = e.last_writer == writer && (e.users.size() == 1 || e.writes_in_turn > 1);
  at->kept = at->current && alone && !part_->tell_own_writers(offset);
  return at->kept;
}

void region_directory::drop_if_unused(std::uint64_t offset) {
  const auto found = entries_.find(offset);
  if (found != entries_.end() && found->second.users.empty() && found->second.revoking == 0) {
    entries_.erase(found);
  }
}

}  // namespace far::objects
