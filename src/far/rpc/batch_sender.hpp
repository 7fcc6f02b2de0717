#pragma once
// The origin's side of far::aggregator, for calls as bytes: buffers, batches under way, and calls
// that functions pass on.
//
// Why nothing stands still:
//   1. Batches are requests, sent by the owner outside of handlers only. Whatever the owner waits
//      for (room in a ring, room under way), it makes progress meanwhile, and so serves others.
//   2. A batch is acknowledged when its calls have run, by the reply whose room was reserved with
//      it. Its functions never wait: what they pass on goes into the backlog, in memory.
//   3. So each batch that went out is acknowledged once its target makes progress, whatever else
//      is full; and no acknowledgement waits for a backlog to be sent.
// Who passes on nevertheless slows its sources down: while there is a backlog the owner pushes
// nothing else, for a backlog goes first.
//
// Threads: belongs to the view's thread, but for pass_on.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "far/base/function_ref.hpp"
#include "far/base/unwinding.hpp"
#include "far/fabric/message.hpp"
#include "far/rpc/batch_buffers.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far {

/// How much memory an aggregator may take, and how long calls may lie in it.
struct aggregator_options {
  /// Bytes of all buffers together. Where there are so many ranks that each cannot have one of a
  /// whole message, buffers are smaller, down to 1 KB, and then ranks take turns: the oldest
  /// buffer goes out to make room.
  std::size_t buffer_bytes = std::size_t{4} << 20;
  /// Bytes of messages that have been sent and whose calls have not all run. One message, however
  /// large, may always be.
  std::size_t under_way_bytes = std::size_t{1} << 20;
  /// Bytes of a message at most; 0: what the fabric carries, if buffer_bytes allows it.
  std::size_t message_bytes = 0;
  /// After that long a buffer goes out though it is not full, at the next push or poll. With a
  /// thousand ranks, all of whose buffers go out so, messages take a tenth of the time or so.
  /// fabric::never: only full ones do.
  std::uint64_t patience_ns = 10'000'000;
};

/// What an aggregator has done. Bytes are as the bounds count them.
struct aggregator_counts {
  std::uint64_t messages = 0;          ///< all, and of them those that went out
  std::uint64_t full = 0;              ///<   because the next call found no room,
  std::uint64_t evicted = 0;           ///<   because another rank needed the buffer,
  std::uint64_t late = 0;              ///<   because patience was over;
  std::uint64_t large = 0;             ///<   with one call that no buffer holds. Others: at flush
  std::size_t most_buffer_bytes = 0;   ///< the most at any time
  std::size_t most_under_way = 0;      ///< the most at any time
  std::size_t most_backlog_bytes = 0;  ///< the most that functions had passed on, unsent
};

namespace detail {

/// Where each call has a result that comes back: calls of one size, and answers of one size.
struct batch_answers {
  std::size_t call_bytes = 0;
  std::size_t answer_bytes = 0;  ///< 0: there are none
  void (*deliver)(void* to, wire::reader& answers) = nullptr;
  void* to = nullptr;
};

/// Of the batches under way. They share it, for they may outlive the aggregator.
struct batch_ledger {
  std::size_t bytes = 0;
  std::exception_ptr failure;  ///< the first
  batch_answers answers;       ///< delivered to nobody once the aggregator has gone
};

class batch_sender {
 public:
  /// What each batch begins with: its handler's index, flags and function.
  /// Errors: bad_argument if a call cannot fit within the options.
  batch_sender(const world& view, fabric::handler_index handler, std::vector<std::byte> prefix,
               const aggregator_options& options, const batch_answers& answers = {});
  /// Flushes, unless an exception is on its way. A function's failure goes to far::quiesce.
  ~batch_sender();
  batch_sender(const batch_sender&) = delete;
  batch_sender& operator=(const batch_sender&) = delete;

  /// Where to write a call of so many bytes: whoever has, moves `at` behind it. Null where no
  /// buffer is so large. May send, and wait.
  [[nodiscard]] batch_end* room_for(int rank, std::size_t bytes) {
    if (--pushes_until_look_ == 0) look();
    if (static_cast<unsigned>(rank) >= static_cast<unsigned>(size_)) throw_no_rank(rank);
    batch_end& end = buffers_.end_of(rank);
    if (static_cast<std::size_t>(end.end - end.at) < bytes && !make_room(rank, bytes)) {
      return nullptr;
    }
    return &end;
  }
  using write_call = base::function_ref<void(std::byte*)>;
  /// Sends a call that is too large for a buffer.
  void send_large(int rank, std::size_t bytes, write_call write);
  /// Any thread of the rank: keeps a call until the owner comes.
  void pass_on(int rank, std::size_t bytes, write_call write);

  void poll();
  void flush();
  /// Whether there is anything that flush would send.
  [[nodiscard]] bool waiting() const noexcept {
    return buffers_.open_count() != 0 || taken_at_ != taken_.size() ||
           backlogged_.load(std::memory_order_acquire);
  }
  [[nodiscard]] aggregator_counts counts() const;

 private:
  class turn;

  [[noreturn]] void throw_no_rank(int rank) const;
  /// False: no buffer is so large.
  bool make_room(int rank, std::size_t bytes);
  void flush_at_end() noexcept;
  void look();
  void send_late(std::uint64_t now_ns);
  void send_backlog();
  void append(int rank, std::span<const std::byte> call);
  bool room_in_turn(int rank, std::size_t bytes);
  void large_in_turn(int rank, std::size_t bytes, write_call write);
  [[nodiscard]] std::uint32_t reply_bytes_for(std::size_t batch_bytes) const noexcept;
  void send(int rank);
  void await_room_under_way(int rank, std::size_t bytes);

  world view_;
  int size_;
  fabric::handler_index handler_;
  std::uint32_t pushes_until_look_ = 1;
  std::uint32_t pushes_per_look_ = 1;
  std::uint64_t last_look_ns_ = 0;
  std::vector<std::byte> prefix_;
  aggregator_options options_;
  batch_buffers buffers_;
  std::shared_ptr<batch_ledger> ledger_;
  aggregator_counts counts_;
  bool busy_ = false;  ///< the owner is inside, perhaps waiting
  base::unwind_watch watch_;

  // The backlog: {rank, bytes, call} one behind the other. What the owner has taken over, and how
  // far it has come, outlives an exception.
  std::vector<std::byte> taken_;
  std::size_t taken_at_ = 0;
  mutable std::mutex mutex_;  // the rest
  std::vector<std::byte> backlog_;
  std::size_t most_backlog_bytes_ = 0;
  std::atomic<bool> backlogged_{false};
};

}  // namespace detail
}  // namespace far
