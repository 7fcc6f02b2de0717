// The directory's side of updates in place: which way a change goes to a copy that is kept.

#include <algorithm>
#include <utility>

#include "far/object/copy/in_place.hpp"
#include "far/object/home/region_directory.hpp"
#include "far/object/home/updates.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// A rank sees no updates that are written into its copy. So that it can ask to be left out, one
/// goes as a message after so many that did not.
constexpr std::uint16_t unseen = 7;

}  // namespace

/// Sends changes to a kept copy.
void region_directory::send_changes(outbox& out, std::uint64_t offset, entry& e, user& u,
                                    change_pieces changes) {
  const auto under_way = std::ranges::find_if(
      e.writes, [&](const write_under_way& w) { return w.rank == u.rank && w.number == u.number; });
  if (under_way != e.writes.end()) {
    change_pieces& next = under_way->next;
    if (next.empty()) ++e.unanswered;
    std::ranges::move(changes, std::back_inserter(next));
    return;
  }
  const bool in_place = e.choice.in_place() && u.copies && u.messages == 0 && u.skipped < unseen &&
                        is_worth_writing(*part_, u.rank, changes);
  if (!in_place) return send_message(out, offset, e, u, changes);
  ++u.skipped;
  ++e.unanswered;
  e.writes.push_back({u.rank, u.number, {}});
  out.writes.push_back({u.rank, offset, u.number, u.copies, u.has_twin, std::move(changes)});
}

void region_directory::send_message(outbox& out, std::uint64_t offset, entry& e, user& u,
                                    const change_pieces& changes) {
  for (const auto& runs : changes) {
    ++e.unanswered;
    ++u.messages;
    ++e.by_message;
    const packet_region region{.offset = offset,
                               .number = u.number,
                               .bytes = 0,
                               .skipped = std::exchange(u.skipped, {}),
                               .sequence = u.sequence++};
    add_update(*part_, out, u.rank, region, runs);
  }
}

void region_directory::written(outbox& out, copy_write&& write, bool done) {
  entry& e = entries_.at(write.offset);
  const auto under_way = std::ranges::find_if(e.writes, [&](const write_under_way& w) {
    return w.rank == write.rank && w.number == write.number;
  });
  const change_pieces next = std::move(under_way->next);
  e.writes.erase(under_way);
  if (done) ++e.written;
  const auto u = std::ranges::find(e.users, write.rank, &user::rank);
  // Else its rank has been told otherwise: it has fetched the region again, or been revoked.
  if (u != e.users.end() && u->number == write.number && u->kept) {
    u->has_twin = write.has_twin;
    if (!done) send_message(out, write.offset, e, *u, write.changes);
    if (!next.empty()) send_changes(out, write.offset, e, *u, next);
  }
  if (!next.empty()) --e.unanswered;
  answered(out, write.offset, e);
}

}  // namespace far::objects
