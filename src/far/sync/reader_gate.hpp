#pragma once
// The gate between readers and writers: readers enter through it, and a writer closes it.
//
// Readers are counted at several ranks. Each reader uses one counter, near it; a writer visits all.
//
//   arrived   | closed | wanted | limit: 17 | count: 43     one more for each reader that comes
//   departed  | waiting writer: 21         | count: 43     one more for each reader that leaves
//   closed_at   the count of `arrived` at which the gate was last closed before readers had left
//
// 1. A reader takes a number: the count of `arrived` before its own addition. It is inside if the
//    word that it finds is neither closed, nor wanted with a limit at or below its number.
//    Otherwise it waits until it sees the gate open, or closed again at a count above its number:
//    then the gate was open in between, and the reader has been counted as inside.
// 2. One writer at a time, the head of the writers' queue, changes the gate. It closes the gate by
//    setting `closed` at all counters. Readers with numbers below the count that it finds are
//    inside until the count of `departed` has reached that count.
// 3. For a counter with readers inside, the writer subtracts that count from `departed` and adds
//    its own name. So the reader that brings the count to zero is the last, and notifies the
//    writer. Either the writer's operation finds the count at its number, or one reader notifies
//    the writer; never both. The writer waits on its own word, to which the readers add.
// 4. Before it closes, a writer may let readers enter for a while: it sets `wanted`, with a limit.
//    Readers with numbers from the limit on wait. The first of them notifies the writer. This is
//    only a hint: a writer that misses it looks again. So once the limit is in the word, at most
//    that number of readers enter before the writer at each counter, whatever the writer does
//    meanwhile. Whether and for how long a writer does this is not part of the protocol: it may
//    close at any time.
// 5. To open the gate, the writer clears everything but the count. Readers that have waited are
//    inside from then on, and the next writer waits for them. So a reader waits for at most one
//    phase of writers.
//
// Counts do not wrap: 2^43 readings at one counter take months. Limits are compared with counts
// that are at most 2^16 away.
//
// Source: the distributed counter of RMA-RW of P. Schmid, M. Besta, T. Hoefler, High-performance
//   distributed RMA locks, 2016, sections 3.2.1 and 3.3; that a reader waits for one phase at most
//   is from B. Brandenburg, J. Anderson, Reader-writer synchronization for shared-memory
//   multiprocessor real-time systems, 2009. As printed in the former (listings 6, 7 and 9), a
//   writer does not wait for the readers inside, counters are reset while readers change them, and
//   a returning reader may find the next writer ahead of it again and again.

#include <cstdint>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/future.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// A rank's words of a gate, initially zero.
struct alignas(64) reader_counter {
  std::uint64_t arrived = 0;
  std::uint64_t departed = 0;
  std::uint64_t closed_at = 0;
  std::uint64_t drained = 0;  ///< counters whose last reader has left; for a writer of this rank
  std::uint64_t full = 0;     ///< not zero once a limit is reached; for a writer of this rank
};

/// Where the counters of a gate are; the same on all ranks, except `own`.
struct gate_shape {
  ptr<reader_counter> counters = {};  ///< symmetric
  std::vector<int> homes = {};        ///< the ranks whose counters are used
  int own = 0;                        ///< the rank of the counter that this rank uses
  std::uint64_t limit = 0;  ///< max readers that enter at each counter while a writer waits
  /// Readers enter first until a writer has waited for 1/patience of the time since it last wrote.
  /// 0: if readers waited for writers, or the last writer for readers, until no more readers come.
  int patience = 0;
  /// If not 0: until this many have entered at each counter since the gate was last closed.
  std::uint64_t min = 0;

  static constexpr std::uint64_t highest_limit = (1 << 16) - 1;
};

/// One thread's access to a gate. Its reader and writer sides share no state.
class reader_gate {
 public:
  reader_gate(const world& world, const gate_shape& shape) : world_(world), shape_(&shape) {
    if (shape.patience > 0) wrote_ns_ = world.now();
  }

  /// Waits until this thread is inside. Cost: open A_fao; else it polls its counter too.
  void enter() const {
    const std::uint64_t seen = arrived(shape_->own).fetch_add(1);
    if ((seen & (closed | wanted)) != 0) [[unlikely]]
      follow(seen);
  }
  /// The same, or returns false if the deadline passes first. It keeps no place while it waits, so
  /// all readers that come may overtake it. Cost: G + A_cas.
  [[nodiscard]] bool try_enter(fabric::deadline_ns deadline) const;
  /// Cost: A_fao; for the last before a writer A_add more.
  void leave() const {
    const std::uint64_t now = departed(shape_->own).fetch_add(1) + 1;
    if ((now & count_mask) == 0) [[unlikely]]
      tell(now);
  }

  /// Call it when this thread comes to write: its waiting time starts now.
  void come() {
    if (shape_->patience > 0) came_ns_ = world_.now();
  }
  /// Closes the gate and waits until no reader is inside. Call it as the head of the writers'
  /// queue. Readers may enter before it closes, up to the limit (gate_shape). `readers_waited`:
  /// whether readers have been waiting for writers. Returns false if the deadline passes first; the
  /// gate is open then.
  /// Cost: one round of operations to all counters at once; with readers inside two, and the wait.
  [[nodiscard]] bool close(bool readers_waited, fabric::deadline_ns deadline);
  /// The same if no reader is inside; otherwise returns false and leaves the gate open.
  [[nodiscard]] bool try_close();
  /// Waits for the operations that close left in flight. Call it after writing, before other
  /// threads can go on.
  void settle();
  /// Opens the gate, also for a writer other than the one that closed it. Returns whether readers
  /// have waited.
  /// Cost: one round.
  bool open();

 private:
  /// What a writer knows of a counter.
  struct counted {
    int home = 0;
    std::uint64_t inside = 0;                 ///< readers with numbers below it
    std::uint64_t limit = ~std::uint64_t{0};  ///< readers with numbers from it on wait
    bool wants = false;                       ///< this writer's name is in `departed`
    bool asked = false;                       ///< and `inside` is subtracted from it
    bool tells = false;                       ///< and the last reader will notify

    [[nodiscard]] std::uint64_t taken_off() const noexcept { return asked ? inside : 0; }
  };

  static constexpr int count_bits = 43;
  static constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;
  static constexpr std::uint64_t limit_mask = (std::uint64_t{1} << 17) - 1;
  static constexpr std::uint64_t wanted = std::uint64_t{1} << 60;
  static constexpr std::uint64_t closed = std::uint64_t{1} << 61;

  [[nodiscard]] static constexpr std::uint64_t count_of(std::uint64_t word) noexcept {
    return word & count_mask;
  }
  [[nodiscard]] static std::uint64_t limit_of(std::uint64_t arrived) noexcept;
  [[nodiscard]] static bool keeps_out(std::uint64_t arrived, std::uint64_t number) noexcept;
  using word = atomic_ref<std::uint64_t>;

  [[nodiscard]] word arrived(int rank) const noexcept { return at(rank, 0); }
  [[nodiscard]] word departed(int rank) const noexcept { return at(rank, 1); }
  [[nodiscard]] word closed_at(int rank) const noexcept { return at(rank, 2); }
  [[nodiscard]] word drained(int rank) const noexcept { return at(rank, 3); }
  [[nodiscard]] word full(int rank) const noexcept { return at(rank, 4); }
  [[nodiscard]] ptr<std::uint64_t> place(int rank, int index) const noexcept {
    return reinterpret_pointer_cast<std::uint64_t>(shape_->counters.on(rank)) + index;
  }
  [[nodiscard]] word at(int rank, int index) const noexcept { return {world_, place(rank, index)}; }
  [[nodiscard]] std::uint64_t own_name() const noexcept;

  void follow(std::uint64_t seen) const;
  void tell(std::uint64_t departed_now) const;
  void count_anew();
  [[nodiscard]] fabric::deadline_ns patient_until(bool readers_waited) const;
  [[nodiscard]] bool let_in(fabric::deadline_ns until, fabric::deadline_ns deadline);
  [[nodiscard]] bool is_full_by(fabric::deadline_ns time) const;
  [[nodiscard]] std::uint64_t want(bool& is_full);
  [[nodiscard]] std::vector<future<void>> name_all() const;
  [[nodiscard]] bool find_limits();
  [[nodiscard]] std::uint64_t all_arrived();
  [[nodiscard]] bool close_all();
  [[nodiscard]] std::uint64_t query_latest();
  void give_up();

  world world_;
  const gate_shape* shape_;
  bool readers_before_ = false;  // readers were inside when this thread last closed it
  std::uint64_t came_ns_ = 0;    // when this thread came to write
  std::uint64_t wrote_ns_ = 0;   // when it last wrote; at first, when this object was made
  std::vector<future<void>> releases_;

  // State of one phase. Kept, because allocating it costs more than the rest.
  std::vector<counted> counters_;
  std::vector<future<std::uint64_t>> come_;
  std::vector<future<std::uint64_t>> gone_;
};

}  // namespace far::sync
