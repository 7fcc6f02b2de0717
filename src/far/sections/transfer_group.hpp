#pragma once
// Transfers without a future each: a group collects them, and is waited for as a whole or by rank.

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/rma/future.hpp"
#include "far/sections/accumulate.hpp"
#include "far/sections/transfer.hpp"
#include "far/world/world.hpp"

namespace far {

/// Non-blocking transfers of one thread, without handles.
///
///     far::transfer_group pending(world);
///     pending.put(far::patch(there, 8, 8, 64), far::patch(here, 8, 8));
///     pending.get(far::patch(other, 8, 8, 64), far::patch(halo, 8, 8));
///     compute();
///     pending.wait();
///
/// Completion: remote, when wait has returned or test has returned true. Until then local memory
///   must live, and must not be changed (put, accumulate) or accessed (get).
/// Ordering: none among the members; a fence is a wait.
/// Progress: in wait and test. Threads: that of its view.
/// Errors: of a call, as the blocking ones, before anything starts. A transfer that fails in flight
///   leaves the group, and its error comes from wait or test, one in each call.
class transfer_group {
 public:
  explicit transfer_group(const world& world) : world_(world) {}
  /// Waits, also while an exception propagates, unless the job has failed. Errors of transfers are
  /// lost, so wait before.
  /// Checked by: sections_transfer_group_test.ends_before_the_memory_that_it_uses
  ~transfer_group();
  transfer_group(const transfer_group&) = delete;
  transfer_group& operator=(const transfer_group&) = delete;

  /// The arguments are those of far::put_async, get_async and accumulate_async for sections and
  /// lists.
  template <class Remote, class Local>
  void put(const Remote& to, const Local& from,
           section_protocol how = section_protocol::automatic) {
    add(rank_of(to), put_async(world_, to, from, how));
  }
  template <class Remote, class Local>
  void get(const Remote& from, const Local& to,
           section_protocol how = section_protocol::automatic) {
    add(rank_of(from), get_async(world_, from, to, how));
  }
  template <class Remote, class A, class Local>
  void accumulate(const Remote& y, const A& a, const Local& x,
                  section_protocol how = section_protocol::automatic) {
    add(rank_of(y), accumulate_async(world_, y, a, x, how));
  }
  /// Any other operation of this thread; `rank`: on which, or fabric::all_ranks for several.
  void add(int rank, future<void> operation);

  /// Whether all, or all on one rank, are complete. Makes progress, and does not wait.
  /// Checked by: sections_transfer_group_test.waits_for_all_or_for_one_rank
  [[nodiscard]] bool test(int rank = fabric::all_ranks);
  /// Returns when all, or all on one rank, are complete.
  /// Checked by: sections_transfer_group_test.waits_for_all_or_for_one_rank
  void wait(int rank = fabric::all_ranks);
  /// How many have not been seen to be complete.
  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }

 private:
  struct member {
    int rank;
    future<void> operation;

    [[nodiscard]] bool is_on(int wanted) const noexcept {
      return wanted == fabric::all_ranks || rank == fabric::all_ranks || rank == wanted;
    }
  };

  template <class T, std::size_t N>
  static int rank_of(const strided<ptr<T>, N>& section) noexcept {
    return section.first.rank();
  }
  template <sections::remote_list List>
  static int rank_of(const List&) noexcept {
    return fabric::all_ranks;
  }

  world world_;
  std::vector<member> members_;
};

}  // namespace far
