#pragma once
// Active messages: the interfaces of handlers and senders.

#include <cstdint>
#include <span>

#include "far/base/unique_function.hpp"
#include "far/fabric/verbs.hpp"

namespace far::fabric {

class context;
class message;

/// A function that a message runs on the target, one at a time per lane, inside progress or on the
/// service thread. It must not wait. It replies at most once. What it throws, for a message that
/// makes no sense, fails the job: blocking calls of all ranks throw rank_failed, with its text.
using handler = void (*)(message&);

/// A handler's index in the table that all ranks of a job share (see handlers.hpp).
using handler_index = std::uint16_t;

/// A deferred task. It runs on the same lane, after the handler, with the lane's context.
/// It may start any operation and continue in completions, but must not wait; what it throws fails
/// the job.
using task = base::unique_function<void(context& lane)>;

/// The right to reply to one request later, from any context of the rank that received it.
/// Trivially copyable; must be used exactly once. A default token stands for a one-way message:
/// reply ignores it.
struct reply_token {
  std::int32_t rank = -1;         ///< the requester; -1: no reply is expected
  std::uint16_t context = 0;      ///< the requester's context
  std::uint16_t slot = 0;         ///< index in that context's table of open requests
  std::uint32_t serial = 0;       ///< distinguishes successive uses of the slot
  std::uint32_t reply_bytes = 0;  ///< space reserved for the inline part
  std::uint32_t landing_count = 0;
  bool owns_landings = false;         ///< after take_token: the token owns the array, on the heap
  const landing* landings = nullptr;  ///< while the handler runs: in the fabric's buffer

  [[nodiscard]] bool expects_reply() const noexcept { return rank >= 0; }
};

/// The requester's side of a request that expects a reply. The caller owns it and must not move it
/// until it is done. `on_reply` gets the reply's inline bytes before the completion is done; if it
/// is null, they are dropped.
struct request : completion {
  void (*on_reply)(request&, payload inline_bytes) noexcept = nullptr;
};

/// The classes of messages. Each has its own credits, and none waits for an earlier class: what a
/// request runs may send forwards; what a forward runs may reply, and if the forward expects no
/// reply, it may send forwards as well. So replies wait for no message, and forwards wait for
/// nothing but replies and space at their target.
enum class message_class : std::uint8_t { request, forward };

/// An active message to send.
struct send_request {
  int rank = 0;
  int lane = 0;
  handler_index handler = 0;
  message_class kind = message_class::request;
  payload head = {};                       ///< first part of the payload (arguments)
  payload body = {};                       ///< second part, directly after the first
  request* reply = nullptr;                ///< null: one-way
  std::uint32_t reply_bytes = 0;           ///< max inline bytes of the reply
  std::span<const landing> landings = {};  ///< for reply data: own segments, max max_landings
};

inline constexpr std::size_t max_landings = 64;

/// A message while its handler runs. The payload is in the fabric's buffer and valid only until
/// the handler returns.
class message {
 public:
  message(context& lane, int lane_index, int source, payload bytes, reply_token token) noexcept
      : lane_(&lane), lane_index_(lane_index), source_(source), bytes_(bytes), token_(token) {}

  [[nodiscard]] int source() const noexcept { return source_; }
  [[nodiscard]] int lane_index() const noexcept { return lane_index_; }
  [[nodiscard]] payload bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool expects_reply() const noexcept { return token_.expects_reply(); }

  /// The lane's context, which tasks use. A handler itself may start only signals and non-fetching
  /// amos on it; anything more belongs in a task.
  [[nodiscard]] context& lane() noexcept { return *lane_; }

  /// The object that the layer above attached to this rank's fabric (fabric::owner).
  [[nodiscard]] void* owner() const noexcept;

  /// Replies now. Scatters `data` into the request's landings in order, without an intermediate
  /// copy; the total size must not exceed that of the landings. Reads `data` before it returns.
  void reply(payload inline_bytes = {}, std::span<const gather> data = {});

  /// Returns the right to reply; the handler must not call reply afterwards.
  [[nodiscard]] reply_token take_token();

  /// Runs `work` after this handler, on this lane. Tasks run in the order in which they were
  /// deferred; other handlers may run between them. Needs no credit and never waits.
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
