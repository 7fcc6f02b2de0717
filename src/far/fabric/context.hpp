#pragma once
// A context: one thread's way into the fabric. See docs/memory_model.md for what the verbs
// promise; this header says it in brief.

#include <cstdint>
#include <limits>
#include <memory>
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

/// What a layer above keeps in a context. It is destroyed with the context, when the fabric has
/// forgotten the context's operations.
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
/// Ordering: no order between two operations unless flushed, except put then its signal.
/// Errors: every call that waits throws rank_failed once a rank of the job has died. Every
/// address is checked against the target segment's extent (out_of_bounds), sizes and alignment
/// of amo words against the contract (bad_argument), before anything starts.
class context {
 public:
  /// Waits until what was started on it has ended, unless an exception is on its way or the job
  /// has failed: then its effects may or may not happen.
  virtual ~context() { delete attached_; }
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  [[nodiscard]] fabric& owner() const noexcept { return *fabric_; }
  /// 0 .. max_contexts-1; the lanes' own contexts come after those.
  [[nodiscard]] int index() const noexcept { return index_; }
  /// Room for one object of the layers above, null until it is attached: rma keeps the queue of
  /// its continuations there. As fabric::owner, it is found without a look-up.
  [[nodiscard]] context_attachment* attached() const noexcept { return attached_; }
  void attach(std::unique_ptr<context_attachment> object) noexcept { attached_ = object.release(); }

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
  /// Counts time that the library's own code takes, where the clock cannot see code run (sim). Does
  /// nothing where the clock is real. What it takes: fabric::work_cost_ps.
  virtual void charge([[maybe_unused]] std::uint64_t picoseconds) {}
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
  // A plain pointer: what it points to may look at it while it is destroyed.
  context_attachment* attached_ = nullptr;
};

}  // namespace far::fabric
