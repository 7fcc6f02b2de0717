#pragma once
// A context: one thread's interface to the fabric. docs/memory_model.md specifies what the verbs
// guarantee; this header summarizes it.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "far/base/function_ref.hpp"
#include "far/base/unwinding.hpp"
#include "far/fabric/message.hpp"
#include "far/fabric/verbs.hpp"

namespace far::fabric {

class fabric;

/// What a context waits for, for diagnostics: printed on SIGQUIT, at a timeout and in a deadlock.
struct wait_reason {
  const char* what = "";  ///< text that lives as long as the wait: "barrier", "lock", "future"
  int rank = -1;          ///< the rank that the wait depends on; -1: none
  address word = {};      ///< the word that the context watches; null: none
  /// Whether it waits for changes that wake nobody: by plain puts, atomics that are not marked
  /// wake, stores. Then it looks again after a time that grows with the time waited.
  bool plain_memory = false;
};

/// A time of fabric::now(), or never.
using deadline_ns = std::uint64_t;
inline constexpr deadline_ns never = std::numeric_limits<deadline_ns>::max();

/// State of a retry loop against remote memory; pass the same object to each pause of one wait.
struct backoff {
  std::uint32_t attempts = 0;
};

/// State of a wait for a turn; pass the same object to each await_turn of one wait.
struct turn {
  std::uint32_t looks = 0;
  std::uint64_t since_ns = 0;  ///< when the looks became rare; 0: not yet
};

/// Base of an object that a layer above keeps in a context. It is destroyed with the context,
/// after the fabric has dropped the context's operations.
class context_attachment {
 public:
  context_attachment() = default;
  virtual ~context_attachment() = default;
  context_attachment(const context_attachment&) = delete;
  context_attachment& operator=(const context_attachment&) = delete;
};

/// One thread's operations, completions and flushes. Not thread-safe: one thread at a time
/// uses a context; different contexts of a rank are independent.
///
/// Ordering: two operations are unordered unless a flush separates them, except that a put comes
/// before its own signal.
/// Errors: every call that waits throws rank_failed once a rank of the job has died. Before an
/// operation starts, every address is checked against the target segment's extent
/// (out_of_bounds), and the size and alignment of amo words are checked (bad_argument).
class context {
 public:
  /// Waits until the context's operations have ended. It does not wait while an exception
  /// propagates that is newer than the context, or if the job has failed; then the operations may
  /// or may not take effect. Checked by: OneSided.ContextsEndTheirOperations
  virtual ~context() { delete attached_; }
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  [[nodiscard]] fabric& owner() const noexcept { return *fabric_; }
  /// 0 .. max_contexts-1; the lanes' own contexts have larger indices.
  [[nodiscard]] int index() const noexcept { return index_; }
  /// The lane whose own context this is; -1: a thread's.
  [[nodiscard]] virtual int lane_index() const noexcept { return -1; }
  /// Whether it is a lane's own, which runs tasks, and queues what it cannot send.
  [[nodiscard]] bool is_lane() const noexcept { return lane_index() >= 0; }
  /// An object of the layers above, null until attach: rma keeps its queue of continuations here.
  /// Like fabric::owner, it needs no look-up.
  [[nodiscard]] context_attachment* attached() const noexcept { return attached_; }
  void attach(std::unique_ptr<context_attachment> object) noexcept { attached_ = object.release(); }

  /// Writes all parts. `done` (may be null) completes when they are visible at the target,
  /// `source` (may be null) when the caller may reuse its buffers. With neither, the buffers are
  /// free once a flush has returned. With a signal, all parts must go to one rank.
  virtual void put(std::span<const put_part> parts, completion* done = nullptr,
                   completion* source = nullptr, const signal* after = nullptr) = 0;
  /// Reads all parts; `done` must not be null.
  virtual void get(std::span<const get_part> parts, completion* done) = 0;
  /// `done` may be null for a non-fetching amo and must be null for a loose one, which the target
  /// does not acknowledge.
  virtual void amo(const amo_request& request, completion* done) = 0;
  /// `done` completes when this context's earlier operations on `rank` (or all_ranks,
  /// every_context), except loose ones, are visible there, and gets have arrived.
  virtual void flush(int rank, completion* done) = 0;

  /// Starts a message. Returns false if its class has no credit: make progress and retry, as send
  /// does. Called from a task it never returns false, but queues the message.
  virtual bool try_send(const send_request& message) = 0;
  /// Replies to a request whose token was taken. Reads `data` before it returns.
  virtual void reply(const reply_token& token, payload inline_bytes = {},
                     std::span<const gather> data = {}) = 0;

  /// Processes what has arrived: completions of this context, and handlers and tasks of those
  /// lanes of the rank that no other context is running. Returns true if it did anything.
  virtual bool progress() = 0;

  /// The only way to wait. Makes progress until `ready()` returns true; returns false if the
  /// deadline passes first. Does not call `ready` again after it has returned true.
  /// `ready` may read completions of this context and, with peek, words of this rank's segments.
  /// A signal, a message, a completion, an amo marked wake and the job's failure wake the context
  /// at once. A plain put does not: a word that it writes is seen late or never, unless the reason
  /// says `plain_memory`.
  virtual bool wait(base::function_ref<bool()> ready, deadline_ns deadline,
                    const wait_reason& reason) = 0;
  /// For the time between two tries against remote memory, where a try may fail again and again
  /// and nobody depends on when this one comes: makes progress, and lets others run, for longer
  /// each time.
  virtual void pause(backoff& state) = 0;
  /// For the time between two looks of a thread that has its place in an order: others before it
  /// are about to let it go on, and others behind it wait for it. So it returns soon, and in
  /// proportion: a thread sleeps only when it has waited for much longer than the sleep takes.
  /// Makes progress, and lets others run.
  virtual void await_turn(turn& state) = 0;
  /// Takes `duration_ns`, as a computation would, and makes no progress.
  virtual void compute(std::uint64_t duration_ns) = 0;
  /// Adds the time of the library's own code to a clock that does not measure it (sim). No-op
  /// where the clock is real. fabric::work_cost_ps gives the times.
  virtual void charge([[maybe_unused]] std::uint64_t picoseconds) {}
  /// Reads an aligned 8-byte word of this rank's own segments. Acquires what a signal or amo on
  /// the word published.
  [[nodiscard]] virtual std::uint64_t peek(address word) const = 0;

  /// How long this context's progress has run handlers and tasks of the rank's lanes, in ns. The
  /// first call starts the measurement, because it reads a clock.
  /// Checked by: Messages.service_is_timed_for_who_asks
  [[nodiscard]] std::uint64_t served_ns() noexcept {
    times_service_ = true;
    return served_ns_;
  }

  // The rest is implemented with the verbs above, for all fabrics.

  virtual void wait(completion& done, const wait_reason& reason);
  void flush(int rank = all_ranks);
  /// Retries try_send until it succeeds.
  void send(const send_request& message);

 protected:
  context(fabric& owner, int index) noexcept : fabric_(&owner), index_(index) {}

  /// For leaves, at the end of reply.
  static void release(const reply_token& token) noexcept {
    if (token.owns_landings) delete[] token.landings;
  }
  /// Whether an exception propagates that is newer than this context.
  [[nodiscard]] bool is_unwinding() const noexcept { return watch_.is_unwinding(); }
  [[nodiscard]] bool times_service() const noexcept { return times_service_; }
  void add_service(std::uint64_t ns) noexcept { served_ns_ += ns; }
  friend class message;
  virtual void defer(int lane_index, task work) = 0;

 private:
  fabric* fabric_;
  int index_;
  base::unwind_watch watch_;
  bool times_service_ = false;
  std::uint64_t served_ns_ = 0;
  // A plain pointer, because the object may read it during its destruction.
  context_attachment* attached_ = nullptr;
};

}  // namespace far::fabric
