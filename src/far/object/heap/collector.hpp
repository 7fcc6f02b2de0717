#pragma once
// A rank's part in collecting objects that no thread can reach any more.
//
// All threads of all ranks stop, every rank marks the objects that its roots and those of others
// reach, and frees the rest. The thread that starts a collection conducts it (conductor.hpp): it
// asks all ranks for one step after the other, and each begins when all ranks have done the one
// before:
//
//   stop     threads are to stop at their next safe point
//   await    answered when all threads of the rank have stopped, or when the collection is called
//            off
//   recall   take back the data of regions that have migrated
//   begin    forget copies of foreign objects, and mark what the rank's own roots name
//   mark     visit marked objects; their references to objects elsewhere go to their homes
//   sweep    free what is not marked
//   resume   threads go on
//
// One collection takes place at a time: rank 0 has the *conductor lock*, which a thread
// acquires.
//
// Invariants (all under part::mutex):
//   1. From the answer to `await` until `resume` no thread of the rank changes an object, takes or
//      drops a handle, or fetches: all have parked, at a safe point, or wait in world::threads for
//      threads that have. One that would go on, or begin, waits for `resume`.
//   2. What a thread has written is at its objects' homes when it parks. Only views whose thread
//      waits in world::threads, or goes on by another view, may hold back changes: their copies
//      have twins. These copies stay, and what they name counts as rooted.
//   3. Between collections, every reference that a thread may use without finding it in an object
//      is in one of the places that `begin` looks at.
//
// docs/objects.md says what keeps an object. Explored by test/mutants (object_garbage).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "far/object/collections.hpp"
#include "far/object/heap/heap.hpp"
#include "far/object/heap/marker.hpp"
#include "far/object/outbox.hpp"

namespace far::objects {

struct part;
struct thread_record;

/// What a thread is answered that asks for the conductor lock.
struct conductor_lock_answer {
  bool conducts = false;  ///< the thread does it; else another one has
  int late = -1;          ///< the rank for which it has been called off; -1: none
};

class collector {
 public:
  explicit collector(part& of) noexcept : part_(&of) {}

  // -- the conductor lock

  /// Answers when a collection that began after the thread had parked has ended, or when the thread
  /// is to conduct one. `resumed`: how many its rank had seen end when it parked.
  void ask(outbox& out, const fabric::reply_token& token, std::uint64_t resumed);
  /// The conductor has ended a collection.
  void end(outbox& out, int late);

  // -- steps

  void stop();
  void await(outbox& out, const fabric::reply_token& token);
  void recall(outbox& out, const fabric::reply_token& token);
  void begin();
  /// `reached`: references of other ranks to objects of this one. Appends up to `most` references
  /// to objects of others. Returns whether there is more to do.
  bool mark(std::span<const std::uint64_t> reached, std::size_t most,
            std::vector<std::uint64_t>& foreign);
  [[nodiscard]] swept_memory sweep();
  void resume(outbox& out, const collection_counts& counts);

  // -- threads

  /// Whether threads are to stop.
  [[nodiscard]] bool is_stopping() const noexcept { return stopping_; }
  /// Whether all have.
  [[nodiscard]] bool is_stopped() const noexcept { return stopping_ && all_rest(); }
  /// A thread has parked or ended.
  void parked(outbox& out);
  [[nodiscard]] std::uint64_t resumed() const noexcept { return resumed_; }
  [[nodiscard]] const collection_counts& counts() const noexcept { return counts_; }

 private:
  struct asking {
    fabric::reply_token token;
    std::uint64_t resumed;
  };

  [[nodiscard]] bool all_rest() const noexcept;
  void reach_roots_of(const thread_record& thread);
  void forget_copies();
  void forget_found();

  part* part_;
  bool stopping_ = false;
  std::uint64_t resumed_ = 0;
  collection_counts counts_;
  fabric::reply_token awaiting_;  // a default one: nobody awaits that the threads stop
  std::unique_ptr<marker> marker_;
  // The conductor lock.
  bool running_ = false;
  std::uint64_t ended_ = 0;
  std::vector<asking> asking_;
};

}  // namespace far::objects
