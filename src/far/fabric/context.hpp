#pragma once
// A context: one thread's way into the fabric. See docs/memory_model.md for what the verbs
// promise; this header says it in brief.

#include <cstdint>
#include <limits>
#include <span>

#include "far/base/function_ref.hpp"
#include "far/fabric/message.hpp"
#include "far/fabric/verbs.hpp"

namespace far::fabric {

class fabric;

/// What a context waits for, for people: printed on SIGQUIT, at a timeout, in a deadlock.
struct wait_reason {
  const char* what = "";  ///< static text: "barrier", "lock", "future"
  int rank = -1;          ///< the rank it depends on, where there is one
  address word = {};      ///< the word it watches, where there is one
};

/// A point of fabric::now(), or never.
using deadline_ns = std::uint64_t;
inline constexpr deadline_ns never = std::numeric_limits<deadline_ns>::max();

/// State of a retry against remote memory; pass the same one to each pause of one wait.
struct backoff {
  std::uint32_t attempts = 0;
};

/// What the room of futures keeps per context (rma/future_state.hpp).
struct continuation_queue {
  std::uint32_t depth = 0;  ///< how deep continuations nest just now
  void* first = nullptr;    ///< those that wait for the outermost to return
  void* last = nullptr;
  void* under_way = nullptr;  ///< operations that hold themselves until they are done
  /// Frees the latter when the context goes: in a job that failed they are never done.
  void (*abandon)(continuation_queue&) noexcept = nullptr;
};

/// One thread's operations, completions and flushes. Not thread-safe: one thread at a time
/// uses a context; different contexts of a rank are independent.
///
/// Ordering: no order between two operations unless flushed, except put then its signal.
/// Errors: every call that waits throws rank_failed once a rank of the job has died. Every
/// address is checked against the target segment's extent (out_of_bounds), sizes and alignment
/// of amo words against the contract (bad_argument), before anything starts.
class context {
 public:
  /// Waits until what was started on it has ended, unless an exception is on its way or the job
  /// has failed: then its effects may or may not happen.
  virtual ~context() {
    // By now the fabric has forgotten the operations.
    if (continuations_.abandon != nullptr) continuations_.abandon(continuations_);
  }
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  [[nodiscard]] fabric& owner() const noexcept { return *fabric_; }
  /// 0 .. max_contexts-1; the lanes' own contexts come after those.
  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] continuation_queue& continuations() noexcept { return continuations_; }

  /// Writes all parts. `done` (may be null): visible at the target. `source` (may be null):
  /// the caller's buffers are free again; with neither, they are once a flush has returned. With
  /// a signal all parts go to one rank.
  virtual void put(std::span<const put_part> parts, completion* done = nullptr,
                   completion* source = nullptr, const signal* after = nullptr) = 0;
  /// Reads all parts; `done` must not be null.
  virtual void get(std::span<const get_part> parts, completion* done) = 0;
  /// `done` may be null for a non-fetching one, and must be for a loose one: of that only the
  /// target learns, which spares its answer.
  virtual void amo(const amo_request& request, completion* done) = 0;
  /// `done` when this context's earlier operations on `rank` (or all_ranks), but for loose ones,
  /// are visible there.
  virtual void flush(int rank, completion* done) = 0;

  /// Starts a message, or returns false when its class has no credit now: make progress and
  /// try again, as send does. From a handler's task it never returns false: it queues.
  virtual bool try_send(const send_request& message) = 0;
  /// Answers a request whose token was taken. `data` are read before it returns.
  virtual void reply(const reply_token& token, payload inline_bytes = {},
                     std::span<const gather> data = {}) = 0;

  /// Runs what has arrived: completions of this context, handlers and tasks of the rank's
  /// lanes that no other context runs just now. True if it did anything.
  virtual bool progress() = 0;

  /// The only way to wait. Makes progress until `ready()`; false when the deadline passes first.
  /// `ready` is not asked again once it has said yes.
  /// It may look at completions of this context and, by peek, at words of this rank's
  /// segments. Wakes at once for a signal, a message, a completion, an amo marked wake, and the
  /// job's failure; a plain put wakes nobody, so a word written by one is seen late or never.
  virtual bool wait(base::function_ref<bool()> ready, deadline_ns deadline,
                    const wait_reason& reason) = 0;
  /// Between two tries against remote memory: makes progress, and lets others run, longer each
  /// time.
  virtual void pause(backoff& state) = 0;
  /// Spends `duration_ns` as a computation would: no progress is made.
  virtual void compute(std::uint64_t duration_ns) = 0;
  /// The library's own code works on so many keys of a table now: for a clock that cannot see it.
  virtual void works_on([[maybe_unused]] std::size_t keys) {}
  /// Reads an aligned 8-byte word of this rank's own segments, acquiring what its signal or amo
  /// published.
  [[nodiscard]] virtual std::uint64_t peek(address word) const = 0;

  /// How long this context's progress has run handlers and tasks of the rank's lanes, in ns. From
  /// the first time that it was asked on, since a clock is read for it.
  /// Checked by: Messages.service_is_timed_for_who_asks
  [[nodiscard]] std::uint64_t served_ns() noexcept {
    times_service_ = true;
    return served_ns_;
  }

  // The rest is written over the verbs above, once for all fabrics.

  virtual void wait(completion& done, const wait_reason& reason);
  void flush(int rank = all_ranks);
  /// try_send until it goes out.
  void send(const send_request& message);

 protected:
  context(fabric& owner, int index) noexcept : fabric_(&owner), index_(index) {}

  /// For leaves, at the end of reply.
  static void release(const reply_token& token) noexcept {
    if (token.owns_landings) delete[] token.landings;
  }
  [[nodiscard]] bool times_service() const noexcept { return times_service_; }
  void add_service(std::uint64_t ns) noexcept { served_ns_ += ns; }
  friend class message;
  virtual void defer(int lane_index, task work) = 0;

 private:
  fabric* fabric_;
  int index_;
  bool times_service_ = false;
  std::uint64_t served_ns_ = 0;
  continuation_queue continuations_;
};

}  // namespace far::fabric
