#pragma once
// The gate between readers and writers: what readers pass, and a writer closes.
//
// Readers are counted at several ranks; each uses one counter, near by, while a writer goes to all.
//
//   arrived   | closed | wanted | limit: 17 | count: 43     one more for each reader that comes
//   departed  | who waits: 21              | count: 43     one more for each reader that goes
//   closed_at   the count of `arrived` at which the gate was last closed before readers had gone
//
// 1. A reader takes a number: the count of `arrived` before its own addition. It is inside if what
//    it finds is neither closed nor wanted with a limit at or below its number. Else it waits,
//    until it sees the gate open, or closed again at a count above its number: then it was open
//    between, and has been counted as inside.
// 2. One writer at a time, the head of the writers' queue, changes the gate. It closes by setting
//    `closed` everywhere. Those with numbers below what it finds are inside, until `departed` has
//    come that far.
// 3. For a counter with readers inside, the writer takes that number off `departed` and adds its
//    own name. So the reader that brings the count to zero is the last, and tells the writer.
//    Either the writer's operation finds the count at its number, or one reader tells it; never
//    both. The writer waits for its own word, into which they tell.
// 4. Before it closes, a writer may let readers come for a while: `wanted`, with a limit. Those
//    with numbers from the limit on wait; the first of them tells the writer, as a hint: who misses
//    it looks again. So at most so many come in before it at each counter, from when the limit is
//    in the word, whatever the writer does meanwhile. Whether it does so, and for how long, is not
//    part of the protocol: it may close at any time.
// 5. To open is to clear all but the count: readers that have waited are inside from then on, and
//    the next writer waits for them. So a reader waits for one phase of writers at most.
//
// Counts do not wrap: 2^43 readings at one counter take months. Limits are compared with counts
// that are at most 2^16 away.
//
// Source: the distributed counter of RMA-RW of P. Schmid, M. Besta, T. Hoefler, High-performance
// distributed RMA locks, 2016, sections 3.2.1 and 3.3; that a reader waits for one phase at most is
// from B. Brandenburg, J. Anderson, Reader-writer synchronization for shared-memory multiprocessor
// real-time systems, 2009. As printed in the former (listings 6, 7 and 9), a writer does not wait
// for the readers inside, counters are reset while readers move them, and readers that come back
// may find the next writer before them again and again.

#include <cstdint>
#include <vector>

#include "far/memory/ptr.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/future.hpp"
#include "far/world/world.hpp"

namespace far::sync {

/// A rank's words of a gate, zero at first.
struct alignas(64) reader_counter {
  std::uint64_t arrived = 0;
  std::uint64_t departed = 0;
  std::uint64_t closed_at = 0;
  std::uint64_t drained = 0;  ///< for a writer of this rank: how many counters' last has gone
  std::uint64_t full = 0;     ///< for a writer of this rank: not zero when a limit was reached
};

/// Where the counters of a gate are; the same at all ranks.
struct gate_shape {
  ptr<reader_counter> counters = {};  ///< symmetric
  std::vector<int> homes = {};        ///< the ranks whose counters are used
  int own = 0;                        ///< this rank's counter: a rank
  std::uint64_t limit = 0;  ///< how many readers come in while a writer waits, per counter
  /// Readers come first until a writer has waited for one part in so many of the time since it last
  /// wrote. 0: where readers wait for writers, or writers for readers, until none comes.
  int patience = 0;
  /// If not 0, `limit` is the most: so many at each counter since the gate was last closed.
  std::uint64_t least = 0;

  static constexpr std::uint64_t highest_limit = (1 << 16) - 1;
};

/// One thread's way to a gate. Reader and writer sides do not share state.
class reader_gate {
 public:
  reader_gate(const world& view, const gate_shape& shape) : view_(view), shape_(&shape) {
    if (shape.patience > 0) wrote_ns_ = view.now();
  }

  /// Waits until this thread is inside. Cost: open A_fao; else it polls its counter too.
  void enter() const {
    const std::uint64_t seen = arrived(shape_->own).fetch_add(1);
    if ((seen & (closed | wanted)) != 0) [[unlikely]]
      follow(seen);
  }
  /// The same, or false when the deadline passes first: it does not keep a place then, and may be
  /// overtaken by all who come. Cost: G + A_cas.
  [[nodiscard]] bool try_enter(fabric::deadline_ns deadline) const;
  /// Cost: A_fao; for the last before a writer A_add more.
  void leave() const {
    const std::uint64_t now = departed(shape_->own).fetch_add(1) + 1;
    if ((now & count_mask) == 0) [[unlikely]]
      tell(now);
  }

  /// This thread comes to write: from now on it waits.
  void come() {
    if (shape_->patience > 0) came_ns_ = view_.now();
  }
  /// The head of the writers closes the gate and waits until nobody is inside; before it, readers
  /// may come in, up to the limit (gate_shape). `readers_waited`: for writers, until now. False
  /// when the deadline passes first; then it is open.
  /// Cost: one round of operations to all counters at once; with readers inside two, and the wait.
  [[nodiscard]] bool close(bool readers_waited, fabric::deadline_ns deadline);
  /// The same if nobody is inside.
  [[nodiscard]] bool try_close();
  /// What close has left under way has ended. To be called by who has written before others go on.
  void settle();
  /// A writer, not always the one that has closed it, opens the gate: whether readers have waited.
  /// Cost: one round.
  bool open();

 private:
  /// What a writer knows of a counter.
  struct counted {
    int home = 0;
    std::uint64_t inside = 0;                 ///< those with numbers below it
    std::uint64_t limit = ~std::uint64_t{0};  ///< those with numbers from it on wait
    bool wants = false;                       ///< this writer's name is in `departed`
    bool asked = false;                       ///< and `inside` is taken off it
    bool tells = false;                       ///< and the last reader tells

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
  [[nodiscard]] word at(int rank, int index) const noexcept { return {view_, place(rank, index)}; }
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
  [[nodiscard]] std::uint64_t ask_the_last();
  void give_up();

  world view_;
  const gate_shape* shape_;
  bool readers_before_ = false;  // inside, when this thread last closed it
  std::uint64_t came_ns_ = 0;    // when this thread came to write
  std::uint64_t wrote_ns_ = 0;   // when it last had written; before, when it might have
  std::vector<future<void>> settling_;

  // Of one phase; kept, for their memory costs more than the rest.
  std::vector<counted> counters_;
  std::vector<future<std::uint64_t>> come_;
  std::vector<future<std::uint64_t>> gone_;
};

}  // namespace far::sync
