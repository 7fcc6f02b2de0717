#include "far/object/home/region_directory.hpp"

#include <algorithm>
#include <memory>

#include "far/object/copy/packet_format.hpp"
#include "far/object/heap/words.hpp"
#include "far/object/home/updates.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// After so many fetches without a write a region counts as read-only again.
constexpr int quiet = 4;
/// While there are no copies, entries of so many regions are remembered: what has been observed,
/// and the memory, which is mostly needed again soon.
constexpr std::size_t max_remembered = 1 << 16;

}  // namespace

region_directory::entry& region_directory::make_entry(std::uint64_t offset) {
  const auto found = entries_.find(offset);
  if (found != entries_.end()) return found->second;
  type_habit& type = habits_[part_->heap.header_at(offset).type];
  return entries_.try_emplace(offset, part_->protocol, type, part_->migrate_after).first->second;
}

bool region_directory::fetched(std::uint64_t offset, int rank, std::uint64_t number,
                               copies_address copies) {
  entry& e = make_entry(offset);
  auto at = std::ranges::find(e.users, rank, &user::rank);
  end_migration(e);
  e.migration.used_by(rank);
  const bool written_here = part_->tell_own_writers(offset);
  if (at != e.users.end() && at->number == number) {  // another part of the region
    // It has no part that is older than another, or its rank learns of it by this answer.
    if (written_here || at->sequence > 0) at->kept = false;
    return at->kept;
  }
  if (at == e.users.end()) at = e.users.insert(at, {.rank = rank, .number = 0});
  if (e.changes && ++e.quiet_fetches > quiet) e.changes = false;
  e.choice.fetched(rank, part_->bytes_of_region(offset));
  *at = {.rank = rank,
         .number = number,
         .kept = (e.choice.updates() || !e.changes) && !written_here,
         .current = true,
         .copies = copies};
  return at->kept;
}

bool region_directory::grant_untracked(std::uint64_t offset, int rank) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return true;
  entry& e = found->second;
  const auto at = std::ranges::find(e.users, rank, &user::rank);
  if (e.owner >= 0 || (at != e.users.end() && at->kept)) return false;
  if (at != e.users.end()) e.users.erase(at);
  return true;
}

void region_directory::left(std::uint64_t offset, int rank, std::uint64_t number) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return;
  entry& e = found->second;
  const auto gone =
      std::erase_if(e.users, [&](const user& u) { return u.rank == rank && u.number == number; });
  if (gone > 0 && e.owner == rank && !e.is_recalled) end_migration(e);
  drop_if_unused(offset);
}

void region_directory::begin_own_write(std::uint64_t offset) {
  const auto found = entries_.find(offset);
  if (found == entries_.end() || part_->has_own_writers(offset)) return;
  entry& e = found->second;
  e.twin.reset();
  if (!e.choice.updates() || std::ranges::none_of(e.users, &user::kept)) return;
  const std::size_t bytes = part_->bytes_of_region(offset);
  e.twin = std::make_unique_for_overwrite<std::byte[]>(bytes);
  load_words(e.twin.get(), part_->heap.data_at(offset), bytes);
}

void region_directory::written_by_rank(outbox& out, std::uint64_t offset, int writer,
                                       fabric::payload runs, std::size_t regions, bool goes_on) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return;
  entry& e = found->second;
  if (!goes_on) e.migration.changed(writer);
  if (e.twin != nullptr) {
    for_each_run(runs, part_->bytes_of_region(offset), [&](std::uint32_t at, fabric::payload b) {
      std::ranges::copy(b, e.twin.get() + at);
    });
  }
  e.choice.changed(writer, runs.size(), regions);
  if (!e.choice.updates()) return revoke_or_update(out, offset, e, writer, nullptr);
  const change_pieces all{{runs.begin(), runs.end()}};
  revoke_or_update(out, offset, e, writer, &all);
}

void region_directory::written_at_home(outbox& out, std::uint64_t offset, std::size_t regions) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return;
  entry& e = found->second;
  e.migration.changed(part_->rank);
  const bool is_known = e.twin != nullptr;
  const change_pieces all = is_known ? take_own_changes(offset, e) : change_pieces();
  std::size_t bytes = 0;
  for (const auto& runs : all) bytes += runs.size();
  e.choice.changed(part_->rank, bytes, regions);
  revoke_or_update(out, offset, e, part_->rank, is_known ? &all : nullptr);
  if (!part_->has_own_writers(offset)) e.twin.reset();
}

/// What the threads of this rank have changed, in pieces that fit in packets.
change_pieces region_directory::take_own_changes(std::uint64_t offset, entry& e) const {
  const region_header header = part_->heap.header_at(offset);
  difference changes(part_->heap.data_at(offset), e.twin.get(), *part_->types.at(header.type),
                     header.length);
  const std::size_t room = part_->packet_bytes - sizeof(packet_header) - sizeof(packet_region);
  run_writer runs(room);
  for (auto cell = changes.next(); cell.width != 0; cell = changes.next()) runs.put(cell);
  return runs.finish();
}

/// Sends a change to the kept copies but the writer's, or revokes them if `changes` is null.
void region_directory::revoke_or_update(outbox& out, std::uint64_t offset, entry& e, int writer,
                                        const change_pieces* changes) {
  e.changes = true;
  e.quiet_fetches = 0;
  e.writes_in_turn = e.last_writer == writer ? e.writes_in_turn + 1 : 1;
  e.last_writer = writer;
  const bool updates = changes != nullptr && e.choice.updates();
  for (user& u : e.users) {
    if (u.rank == writer) continue;
    if (u.kept && updates) {
      if (!changes->empty()) send_changes(out, offset, e, u, *changes);
      continue;
    }
    u.current = false;
    if (!u.kept) continue;
    u.kept = false;
    ++e.unanswered;
    out.revocations.push_back({u.rank, offset});
  }
}

void region_directory::finish(outbox& out, pending_change* change) {
  for (const std::uint64_t offset : change->regions) {
    const auto found = entries_.find(offset);
    if (found == entries_.end() || found->second.unanswered == 0) continue;
    found->second.waiting.push_back(change);
    ++change->awaited;
  }
  if (change->awaited == 0) conclude(out, change);
}

void region_directory::forget(const pending_change& change) {
  for (auto& [offset, e] : entries_) std::erase(e.waiting, &change);
}

void region_directory::revoked(outbox& out, std::uint64_t offset) {
  answered(out, offset, entries_.at(offset));
}

void region_directory::updated(outbox& out, const update_item& item, int rank,
                               update_answer answer) {
  entry& e = entries_.at(item.offset);
  const auto at = std::ranges::find(e.users, rank, &user::rank);
  const bool is_known = at != e.users.end() && at->number == item.number;
  if (is_known) --at->messages;
  if (answer == update_answer::left) {
    if (is_known) e.users.erase(at);
    e.choice.left_out(rank);
  } else {
    e.choice.updated(rank, item.cost, answer == update_answer::read);
    if (is_known && answer == update_answer::refused) {
      at->kept = false;
      at->current = false;
    }
  }
  answered(out, item.offset, e);
}

void region_directory::answered(outbox& out, std::uint64_t offset, entry& e) {
  if (--e.unanswered > 0) return;
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
  for (std::size_t i = 0; i < change->regions.size(); ++i) {
    answer.bytes.push_back(
        static_cast<std::byte>(verdict(change->regions[i], change->writer, change->numbers[i])));
  }
  out.replies.push_back(std::move(answer));
  if (change->followed != 0) part_->followed.visible(out, change->writer, change->followed);
}

/// What becomes of a writer's copy. If others write in turn with it, it does better without,
/// unless copies are updated: its successor then need not wait for a revocation.
change_verdict region_directory::verdict(std::uint64_t offset, int writer, std::uint64_t number) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return change_verdict::forget;
  entry& e = found->second;
  const auto at = std::ranges::find(e.users, writer, &user::rank);
  if (at == e.users.end() || at->number != number) return change_verdict::forget;
  if (!at->kept) {  // else not taken back here: the rank would use it until this answer arrives
    const bool alone = e.last_writer == writer && (e.users.size() == 1 || e.writes_in_turn > 1);
    at->kept = at->current && (alone || e.choice.updates()) && !part_->tell_own_writers(offset);
    if (!at->kept) return change_verdict::forget;
  }
  if (e.owner < 0 && migrates(offset, e, writer)) {
    e.owner = writer;
    e.migration.moved();
    part_->note_changed(place(part_->space(), part_->rank, offset));
    ++away_;
  }
  return e.owner == writer && !e.is_recalled ? change_verdict::own : change_verdict::keep;
}

void region_directory::forget_users() {
  std::vector<std::uint64_t> all;
  for (auto& [offset, e] : entries_) {
    e.users.clear();
    end_migration(e);
    e.twin.reset();
    e.last_writer = -1;
    all.push_back(offset);
  }
  for (const std::uint64_t offset : all) drop_if_unused(offset);
}

void region_directory::forget_freed() {
  std::erase_if(entries_, [&](const auto& e) { return !part_->heap.is_region(e.first); });
}

void region_directory::choose(std::uint64_t offset, object_protocol protocol) {
  make_entry(offset).choice.choose(protocol);
  drop_if_unused(offset);
}

region_account region_directory::account(std::uint64_t offset) const {
  region_account result;
  result.reachable = part_->reachable_copies;
  const auto found = entries_.find(offset);
  if (found == entries_.end()) {
    const auto type = habits_.find(part_->heap.header_at(offset).type);
    type_habit habit = type == habits_.end() ? type_habit() : type->second;
    result.chosen = part_->protocol;
    result.updates = protocol_choice(result.chosen, habit).updates();
    return result;
  }
  const entry& e = found->second;
  result.chosen = e.choice.chosen();
  result.updates = e.choice.updates();
  result.kept = static_cast<std::uint32_t>(std::ranges::count_if(e.users, &user::kept));
  result.listed = static_cast<std::uint32_t>(e.users.size()) - result.kept;
  result.written = e.written;
  result.by_message = e.by_message;
  result.changes = e.choice.changes();
  result.sent = e.choice.sent();
  result.cost = e.choice.cost();
  result.read = e.choice.read();
  result.left = e.choice.left();
  result.owner = e.owner;
  result.moves = e.migration.moves();
  result.judged = e.choice.is_judged();
  return result;
}

void region_directory::drop_if_unused(std::uint64_t offset) {
  const auto found = entries_.find(offset);
  if (found == entries_.end()) return;
  entry& e = found->second;
  if (!e.users.empty() || e.unanswered > 0 || e.owner >= 0) return;
  e.changes = false;
  e.quiet_fetches = 0;
  e.writes_in_turn = 0;
  const bool chosen = e.choice.chosen() != part_->protocol;
  if (!chosen && entries_.size() > max_remembered) entries_.erase(found);
}

}  // namespace far::objects
