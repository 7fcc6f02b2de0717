#include "far/team/mismatch.hpp"

#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/team/matching.hpp"
#include "far/team/words.hpp"

namespace far::detail {
namespace {

using notes = std::array<call_note, call_trail::kept>;

struct difference {
  int member;
  call_note mine;
  call_note theirs;
};

/// Reads the notes of a member; false if they are gone.
bool read_notes(fabric::context& context, team_state& team, int member, notes& result) {
  const fabric::address block = team.block_if_made(context, member);
  if (!block) return false;
  const fabric::get_part part{place(block, team.layout().trail()), result.data(), sizeof(result)};
  fabric::completion done;
  try {
    context.get({&part, 1}, &done);
  } catch (const out_of_bounds&) {
    return false;  // it has left the team
  }
  context.wait(done, {"a collective's notes", team.world_rank(member), {}});
  return true;
}

/// The first call for which both have a note, and in which they differ.
std::optional<difference> first_difference(const notes& mine, const notes& theirs, int member) {
  std::optional<difference> first;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].number() == 0 || mine[i].number() != theirs[i].number() || mine[i] == theirs[i]) {
      continue;
    }
    if (!first || mine[i].number() < first->mine.number()) first = {member, mine[i], theirs[i]};
  }
  return first;
}

std::optional<difference> compare_with(fabric::context& context, team_state& team, int member) {
  notes mine;
  notes theirs;
  if (!read_notes(context, team, team.rank(), mine)) return {};
  if (!read_notes(context, team, member, theirs)) return {};
  if (!first_difference(mine, theirs, member)) return {};
  // A note may have been read half written. One with a number is whole when it is read again.
  if (!read_notes(context, team, member, theirs)) return {};
  return first_difference(mine, theirs, member);
}

std::optional<difference> find_difference(fabric::context& context, team_state& team, int member) {
  if (member >= 0) return compare_with(context, team, member);
  for (const int other : team.node().members) {
    if (other == team.rank()) continue;
    if (auto found = compare_with(context, team, other)) return found;
  }
  return {};
}

std::string in_words(const team_state& team, const call_note& note) {
  std::string text = name_of(static_cast<collective>(note.collective()));
  const auto out = std::back_inserter(text);
  if (note.elements() != 0) fmt::format_to(out, " of {}", note.elements());
  if (note.element_bytes() != 0) fmt::format_to(out, " elements of {} bytes", note.element_bytes());
  if (note.root() >= 0) fmt::format_to(out, ", root rank {}", team.world_rank(note.root()));
  return text;
}

[[noreturn]] void report(const team_state& team, const std::optional<difference>& found) {
  const int here = team.world_rank(team.rank());
  const std::string what =
      found ? fmt::format("as call {} of a team of {}, rank {} called {}, but rank {} called {}",
                          found->mine.number(), team.size(), here, in_words(team, found->mine),
                          team.world_rank(found->member), in_words(team, found->theirs))
            : fmt::format("rank {} meets others of a team of {} that have made different calls",
                          here, team.size());
  throw bad_argument(fmt::format(
      "collectives do not match: {}; all members must make the same calls in the same order",
      what));
}

}  // namespace

void report_mismatch(fabric::context& context, team_state& team, int member) {
  report(team, find_difference(context, team, member));
}

void wait_for_member(fabric::context& context, team_state& team, base::function_ref<bool()> ready,
                     const char* what, int member, fabric::address word) {
  constexpr std::uint64_t first_patience_ns = 1'000'000'000;
  const fabric::fabric& fabric = context.owner();
  const fabric::wait_reason reason{what, member < 0 ? -1 : team.world_rank(member), word};
  if (fabric.reports_deadlock()) {
    context.wait(ready, fabric::never, reason);
    return;
  }
  for (std::uint64_t patience = first_patience_ns;; patience *= 2) {
    if (context.wait(ready, fabric.now() + patience, reason)) return;
    if (const auto found = find_difference(context, team, member)) report(team, found);
  }
}

}  // namespace far::detail
