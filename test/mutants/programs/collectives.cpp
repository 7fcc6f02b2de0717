// The guarantees of collective calls, one after another without a pause.

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/transfer.hpp"
#include "far/team/team.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

void barriers(world& w) {
  constexpr std::uint64_t rounds = 8;
  const auto cells = allocate<std::uint64_t>(w, static_cast<std::uint64_t>(w.size()));
  barrier(w);
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    for (int rank = 0; rank < w.size(); ++rank) {
      (void)put_async(w, cells.on(rank) + w.rank(), round);
    }
    barrier(w);
    for (int rank = 0; rank < w.size(); ++rank) {
      check(get(w, cells + rank) == round, "a put from before the barrier is not there");
    }
    barrier(w);
  }
}

void sums(world& w) {
  constexpr std::uint64_t rounds = 4;
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    std::array<std::uint64_t, 4> list;
    list.fill(round * static_cast<std::uint64_t>(w.rank() + 1));
    allreduce(w, list);
    const auto n = static_cast<std::uint64_t>(w.size());
    check(std::ranges::count(list, round * n * (n + 1) / 2) == 4, "the sum is wrong");
  }
}

/// Of few words and of many, so that the rings of links are reused. After the first eight a ring
/// lacks space for a list that its receiver awaits, unless it tells what it has taken.
void broadcasts(world& w) {
  constexpr std::array<std::size_t, 18> lengths{64,  32,  16, 8,   32,  64, 8,   120, 1,
                                                120, 120, 1,  120, 120, 1,  120, 120, 1};
  std::uint64_t round = 0;
  for (const std::size_t length : lengths) {
    ++round;
    std::vector<std::uint64_t> list(length, w.rank() == 0 ? round : 0);
    broadcast(w, list, 0);
    check(std::ranges::count(list, round) == std::ssize(list), "the root's values did not come");
  }
}

/// Pieces of several chunks, so that slots are reused.
void exchanges(world& w) {
  constexpr std::size_t length = 600;
  constexpr int rounds = 2;
  const auto n = static_cast<std::size_t>(w.size());
  const auto word = [&](int round, int from, int to) {
    return static_cast<std::uint64_t>((round * w.size() + from) * w.size() + to);
  };
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::uint64_t> mine;
    std::vector<std::uint64_t> wanted;
    for (int rank = 0; rank < w.size(); ++rank) {
      mine.insert(mine.end(), length, word(round, w.rank(), rank));
      wanted.insert(wanted.end(), length, word(round, rank, w.rank()));
    }
    std::vector<std::uint64_t> got(n * length);
    alltoall(w, mine, got);
    check(got == wanted, "pieces came that nobody sent");
  }
}

/// Teams that overlap, made by their members in different orders, and left at different times: the
/// sender of broadcasts may be gone when the others answer, as they do to the last of so many.
void member_teams(world& w) {
  constexpr int rounds = 3;
  constexpr int broadcasts_until_answer = 32;
  for (int round = 0; round < rounds; ++round) {
    const std::array<int, 3> front{0, 1, 2};
    const std::array<int, 3> back{3, 2, 1};
    team one;
    team other;
    team again;
    const auto make = [&](std::span<const int> set, team& made) {
      if (std::ranges::count(set, w.rank()) > 0) made = team::of_members(w, set);
    };
    if (w.rank() % 2 == 0) {
      make(front, one);
      make(back, other);
    } else {
      make(back, other);
      make(front, one);
    }
    make(front, again);
    if (again) {
      check(broadcast(w, again.rank() == 1 ? ~round : -1, 1, again) == ~round, "it came twice");
    }
    if (other) check(allreduce(w, 1, other) == 3, "members are missing");
    for (int i = 0; one && i < broadcasts_until_answer; ++i) {
      check(broadcast(w, one.rank() == 0 ? round : -1, 0, one) == round,
            "another team's value came");
    }
  }
}

constexpr std::uint64_t small_heap = 64 * 1024;  // makes chunks short

const program the_barriers("barriers", {.ranks = 3, .ranks_per_node = 1}, barriers);
const program the_sums("sums", {.ranks = 4}, sums);
const program the_broadcasts("broadcasts", {.ranks = 4, .local_bytes = small_heap}, broadcasts);
const run_options apart{.ranks = 4, .local_bytes = 16 * small_heap, .ranks_per_node = 1};
const program the_member_teams("member_teams", apart, member_teams);
const program the_exchanges("exchanges", {.ranks = 3, .local_bytes = small_heap}, exchanges);

}  // namespace
}  // namespace far::mutants
