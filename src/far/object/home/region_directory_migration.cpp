// Regions whose data are at the rank that alone uses them.

#include <utility>

#include "far/object/home/recall.hpp"
#include "far/object/home/region_directory.hpp"
#include "far/object/monitor/monitor_table.hpp"
#include "far/object/part.hpp"

namespace far::objects {

/// Whether a region may migrate to a rank that has just changed it, and keeps its copy.
bool region_directory::migrates(std::uint64_t offset, const entry& e, int writer) {
  if (!e.migration.is_for(writer) || e.users.size() != 1 || e.unanswered > 0 ||
      is_update(e.choice.chosen()) || !monitor_word(part_->heap.data_at(offset)).is_free()) {
    return false;
  }
  part_->ask_own_readers(offset);
  return !part_->has_own_users(offset);
}

void region_directory::end_migration(entry& e) {
  if (e.owner < 0) return;
  e.owner = -1;
  e.is_recalled = false;
  --away_;
}

int region_directory::owner(std::uint64_t offset) const {
  const auto found = entries_.find(offset);
  return found == entries_.end() ? -1 : found->second.owner;
}

bool region_directory::is_away(std::uint64_t offset, int asking) const {
  const auto found = entries_.find(offset);
  if (found == entries_.end() || found->second.owner < 0) return false;
  return found->second.owner != asking || found->second.is_recalled;
}

bool region_directory::is_recalled(std::uint64_t offset) const {
  const auto found = entries_.find(offset);
  return found != entries_.end() && found->second.is_recalled;
}

void region_directory::recall(outbox& out, std::uint64_t offset, bool for_another) {
  const auto found = entries_.find(offset);
  if (found == entries_.end() || found->second.owner < 0 || found->second.is_recalled) return;
  entry& e = found->second;
  e.is_recalled = true;
  e.migration.recalled(for_another);
  add_recall(*part_, out, e.owner, offset);
}

void region_directory::when_back(std::uint64_t offset, waiting_step step) {
  entries_.at(offset).waiting_steps.push_back(std::move(step));
}

void region_directory::recalled(outbox& out, const std::vector<std::uint64_t>& offsets) {
  std::vector<waiting_step> steps;
  for (const std::uint64_t offset : offsets) {
    entry& e = entries_.at(offset);
    end_migration(e);
    for (waiting_step& step : std::exchange(e.waiting_steps, {})) steps.push_back(std::move(step));
  }
  if (away_ == 0) {
    for (waiting_step& step : std::exchange(all_back_, {})) steps.push_back(std::move(step));
  }
  for (waiting_step& step : steps) step(out);
  for (const std::uint64_t offset : offsets) drop_if_unused(offset);
  part_->wake(out);
}

void region_directory::recall_all(outbox& out, waiting_step then) {
  if (away_ == 0) return then(out);
  all_back_.push_back(std::move(then));
  for (const auto& [offset, e] : entries_) recall(out, offset, false);
}

}  // namespace far::objects
