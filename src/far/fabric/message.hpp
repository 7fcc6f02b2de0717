#pragma once
// Active messages as a handler and a sender see them.

#include <cstdint>
#include <span>

#include "far/base/unique_function.hpp"
#include "far/fabric/verbs.hpp"

namespace far::fabric {

class context;
class message;

/// Runs on the target, one at a time per lane, inside progress or on the service thread.
/// It must not wait and must not throw. It replies at most once.
using handler = void (*)(message&);

/// A handler's place in the table that all ranks of a job share (see handlers.hpp).
using handler_index = std::uint16_t;

/// What a deferred task runs: on the same lane, after the handler, with the lane's context.
/// It may start any operation and continue in completions, but must not wait or throw.
using task = base::unique_function<void(context& lane)>;

/// The right to answer one request later, from any context of the rank that received it.
/// Trivially copyable; must be used exactly once (a default token is for one-way messages
/// and is ignored by reply).
struct reply_token {
  std::int32_t rank = -1;         ///< requester; -1: nobody waits
  std::uint16_t context = 0;      ///< its context
  std::uint16_t slot = 0;         ///< its entry in the context's table of open requests
  std::uint32_t serial = 0;       ///< tells uses of that entry apart
  std::uint32_t reply_bytes = 0;  ///< room reserved for the inline part
  std::uint32_t landing_count = 0;
  bool owns_landings = false;         ///< taken: the array is the token's, on the heap
  const landing* landings = nullptr;  ///< in the fabric's buffer while the handler runs

  [[nodiscard]] bool expects_reply() const noexcept { return rank >= 0; }
};

/// The requester's side of a request that expects a reply. Caller-owned, kept in place until done.
/// `on_reply` sees the reply's inline bytes before the completion is done; null: they are dropped.
struct request : completion {
  void (*on_reply)(request&, payload inline_bytes) noexcept = nullptr;
};

/// The classes of messages, each with credits of its own; none waits for one before it.
/// A handler or task of a request may send forwards; a forward's may only reply.
enum class message_class : std::uint8_t { request, forward };

/// An active message to send.
struct send_request {
  int rank = 0;
  int lane = 0;
  handler_index handler = 0;
  message_class kind = message_class::request;
  payload head = {};                       ///< first part of the payload (arguments)
  payload body = {};                       ///< second part, laid behind the first
  request* reply = nullptr;                ///< null: one-way
  std::uint32_t reply_bytes = 0;           ///< the most inline bytes the reply may carry
  std::span<const landing> landings = {};  ///< where reply data go: own segments, max_landings
};

inline constexpr std::size_t max_landings = 64;

/// A message while its handler runs. The payload lives in the fabric's buffer and goes with it.
class message {
 public:
  message(context& lane, int lane_index, int source, payload bytes, reply_token token) noexcept
      : lane_(&lane), lane_index_(lane_index), source_(source), bytes_(bytes), token_(token) {}

  [[nodiscard]] int source() const noexcept { return source_; }
  [[nodiscard]] int lane_index() const noexcept { return lane_index_; }
  [[nodiscard]] payload bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool expects_reply() const noexcept { return token_.expects_reply(); }

  /// The lane's context: what tasks use. A handler itself starts no operation on it but
  /// signals and non-fetching amos; anything more belongs in a task.
  [[nodiscard]] context& lane() noexcept { return *lane_; }

  /// What the room above attached to this rank's fabric (fabric::owner).
  [[nodiscard]] void* owner() const noexcept;

  /// Answers now. `data` scatter into the request's landings in order, with no copy between;
  /// their total must not exceed the landings' total. They are read before it returns.
  void reply(payload inline_bytes = {}, std::span<const gather> data = {});

  /// Takes over the duty to reply; the handler must not reply afterwards.
  [[nodiscard]] reply_token take_token();

  /// Runs `work` after this handler, on this lane: tasks in the order of their deferring, with
  /// other handlers perhaps between. Room for it was reserved with the request.
  void defer(task work);

 private:
  friend class context;
  context* lane_;
  int lane_index_;
  int source_;
  payload bytes_;
  reply_token token_;
};

}  // namespace far::fabric
