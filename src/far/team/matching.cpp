// In debug builds. Calls are numbered. The first member to reach call c claims word c % ring at
// member 0 by a compare-and-swap that stores a fingerprint of its call; the others compare theirs
// with it. No member waits for another, so a debug build has the same freedom of order as a
// release.
//
// - claim (swapped by any member): a member that finds a later call there has been overtaken by
//   more than the ring, and does not check.
// - record (put by its owner, flushed before it claims): the full call. A member that overtakes by
//   more than the ring overwrites its record; then the report has fewer details.
// - calls at member 0 (added to by all): once it counts all calls of all members, the block of
//   member 0 may be freed.

#include "far/team/matching.hpp"

#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/memory/allocate.hpp"
#include "far/team/words.hpp"

namespace far::detail {
namespace {

/// A full call, as members read it from each other.
struct call_record {
  std::uint64_t number;
  std::uint64_t what;
  std::uint64_t element_bytes;
  std::uint64_t elements;
  std::int64_t root;
  std::uint64_t operation;  // hash of its name
  std::uint64_t history;    // of symmetric allocations; 0 if they are not compared
};
static_assert(sizeof(call_record) <= block_layout::line);

/// The value of a claim: {number: 24 bits, member: 20, fingerprint: 20}. Numbers begin at 1, so it
/// is never 0.
class claim_word {
 public:
  explicit claim_word(std::uint64_t bits) noexcept : bits_(bits) {}
  claim_word(std::uint64_t number, int member, std::uint64_t fingerprint) noexcept
      : bits_(number << 40 | static_cast<std::uint64_t>(member) << 20 | (fingerprint & mask)) {}

  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] int member() const noexcept { return static_cast<int>(bits_ >> 20 & mask); }
  [[nodiscard]] bool agrees_with(claim_word other) const noexcept {
    return ((bits_ ^ other.bits_) & mask) == 0;
  }
  /// By how many calls this claim is ahead of another; may be negative. An empty claim is behind
  /// all others.
  [[nodiscard]] int ahead_of(claim_word other) const noexcept {
    if (bits_ == 0) return -1;
    const auto difference = static_cast<std::uint32_t>((bits_ >> 40) - (other.bits_ >> 40)) << 8;
    return static_cast<std::int32_t>(difference) / 256;
  }

 private:
  static constexpr std::uint64_t mask = (1 << 20) - 1;
  std::uint64_t bits_;
};

call_record record_of(const world& world, const team_state& team, const call& mine) {
  call_record result{};
  result.number = team.matched_calls;
  result.what = static_cast<std::uint64_t>(mine.what);
  result.element_bytes = mine.element_bytes;
  result.elements = mine.elements;
  result.root = mine.root < 0 ? -1 : team.world_rank(mine.root);
  if (mine.operation != nullptr) {
    const std::string_view name(mine.operation);
    result.operation = base::hash_bytes(name.data(), name.size());
  }
  // Other threads of the rank may be in the middle of an allocation.
  if (mine.what == collective::barrier && team.what() == team_state::kind::world &&
      world.thread() == 0) {
    result.history = allocation_history(world);
  }
  return result;
}

std::string in_words(const call_record& record) {
  const auto what = static_cast<collective>(record.what);
  std::string text = name_of(what);
  if (record.elements != 0) fmt::format_to(std::back_inserter(text), " of {}", record.elements);
  if (record.element_bytes != 0) {
    fmt::format_to(std::back_inserter(text), " elements of {} bytes", record.element_bytes);
  }
  if (record.root >= 0) {
    fmt::format_to(std::back_inserter(text), ", root rank {}", record.root);
  }
  return text;
}

/// Reads the full call of another member; returns false if its record is gone.
bool read_record(fabric::context& context, team_state& team, int member, call_record& result) {
  const std::uint64_t wanted = result.number;
  const fabric::address block = team.block_if_made(context, member);
  if (!block) return false;
  const fabric::get_part part{place(block, block_layout::record(wanted)), &result, sizeof(result)};
  fabric::completion done;
  try {
    context.get({&part, 1}, &done);
  } catch (const out_of_bounds&) {
    return false;  // it has left the team
  }
  context.wait(done, {"a collective's record", team.world_rank(member), {}});
  return result.number == wanted && result.what <= static_cast<std::uint64_t>(collective::split);
}

[[noreturn]] void report(fabric::context& context, team_state& team, const call_record& mine,
                         int member) {
  const int here = team.world_rank(team.rank());
  const int there = team.world_rank(member);
  call_record theirs{};
  theirs.number = mine.number;
  const bool known = read_record(context, team, member, theirs);
  const std::string my_call = in_words(mine);
  const std::string their_call = known ? in_words(theirs) : "another collective";
  std::string text;
  if (my_call != their_call) {
    text =
        fmt::format("rank {} called {}, but rank {} called {}", here, my_call, there, their_call);
  } else if (theirs.operation != mine.operation) {
    text = fmt::format("rank {} and rank {} called {} with operations of different types", here,
                       there, my_call);
  } else {
    text = fmt::format(
        "rank {} and rank {} reached a {} after different calls of far::allocate "
        "and far::deallocate",
        here, there, my_call);
  }
  throw bad_argument(
      fmt::format("collectives do not match: as call {} of a team of {}, {}; all "
                  "members must make the same calls in the same order",
                  mine.number, team.size(), text));
}

// Only debug builds call it.
[[maybe_unused]] void check_match(const world& world, team_state& team, const call& mine) {
  fabric::context& context = world.context();
  const std::uint64_t number = ++team.matched_calls;
  const call_record record = record_of(world, team, mine);
  const fabric::put_part part{place(team.block(), block_layout::record(number)), &record,
                              sizeof(record)};
  context.put({&part, 1});
  context.flush(world.rank());

  const fabric::address home = team.block_of(context, 0);
  const claim_word wanted(number, team.rank(), base::hash_bytes(&record, sizeof(record)));
  const fabric::address word = place(home, block_layout::claim(number));
  claim_word seen(fetch(context, amo_on(context, word, fabric::amo_op::load, 0), "matching"));
  while (seen.ahead_of(wanted) < 0) {
    auto swap = amo_on(context, word, fabric::amo_op::compare_swap, wanted.bits());
    swap.compare = seen.bits();
    const claim_word before(fetch(context, swap, "matching"));
    if (before.bits() == seen.bits()) {
      seen = wanted;
    } else {
      seen = before;
    }
  }
  if (seen.ahead_of(wanted) == 0 && !seen.agrees_with(wanted)) {
    report(context, team, record, seen.member());
  }
  context.amo(amo_on(context, place(home, block_layout::calls()), fabric::amo_op::add, 1), nullptr);
}

}  // namespace

const char* name_of(collective what) noexcept {
  constexpr std::array names{"barrier",   "broadcast", "reduce",     "allreduce",
                             "gather",    "allgather", "allgatherv", "alltoall",
                             "alltoallv", "scan",      "split"};
  return names[static_cast<std::size_t>(what)];
}

collective_scope::collective_scope(const world& world, team_state& team, const call& mine)
    : use_(team, name_of(mine.what)), alone_(team.size() == 1) {
  world.state().throw_kept();
  const bool needs_root = mine.what == collective::broadcast || mine.what == collective::reduce ||
                          mine.what == collective::gather;
  if (needs_root && (mine.root < 0 || mine.root >= team.size())) {
    throw bad_argument(fmt::format("{} with root {}: the ranks of the team are 0 to {}",
                                   name_of(mine.what), mine.root, team.size() - 1));
  }
  if (alone_) return;
  team.note_call(static_cast<unsigned>(mine.what), mine.root, mine.element_bytes, mine.elements);
  if constexpr (base::debug_checks) check_match(world, team, mine);
}

void check_length(const char* what, const char* list, std::uint64_t length, std::uint64_t wanted) {
  if (length == wanted) return;
  throw bad_argument(
      fmt::format("{}: {} has {} elements, but needs {}", what, list, length, wanted));
}

}  // namespace far::detail
