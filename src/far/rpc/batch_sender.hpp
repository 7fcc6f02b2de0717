#pragma once
// The origin's side of far::aggregator, for calls as bytes: buffers, batches in flight, and calls
// that functions pass on.
//
// Why there is no deadlock:
//   1. Batches are requests, which only the owner sends, outside of handlers. Whatever the owner
//      waits for (space in a ring, space in flight), it makes progress meanwhile, and so serves
//      others.
//   2. A batch is acknowledged when its calls have run, by the reply whose space was reserved with
//      it. Its functions never wait: the calls that they pass on go into the backlog, in memory.
//   3. So each batch that was sent is acknowledged once its target makes progress, whatever else
//      is full; and no acknowledgement waits until a backlog has been sent.
// Passing on still slows down new calls: an owner that finds a backlog sends it first.
//
// Threads: belongs to the view's thread, except pass_on.

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

/// How much memory an aggregator may take, and how long calls may stay in it.
struct aggregator_options {
  /// Bytes of all buffers together. With so many ranks that each cannot have a buffer of a whole
  /// message, buffers are smaller, down to 1 KB. With even more ranks, these share the buffers: the
  /// oldest buffer is sent to free it for another rank.
  std::size_t buffer_bytes = std::size_t{4} << 20;
  /// Bytes of messages that have been sent and whose calls have not all run. One message may always
  /// be in flight, however large.
  std::size_t max_in_flight_bytes = std::size_t{1} << 20;
  /// Maximal bytes of a message; 0: what the fabric carries, if buffer_bytes allows it.
  std::size_t message_bytes = 0;
  /// A buffer that is this old is sent at the next push or poll, even if it is not full. With a
  /// thousand ranks, all of whose buffers are sent this way, messages take a tenth of the time or
  /// so. fabric::never: only full buffers are sent.
  std::uint64_t patience_ns = 10'000'000;
};

/// Statistics of an aggregator. Bytes are counted as for the bounds.
struct aggregator_counts {
  std::uint64_t messages = 0;         ///< all; of these were sent
  std::uint64_t full = 0;             ///<   because the next call did not fit,
  std::uint64_t evicted = 0;          ///<   because another rank needed the buffer,
  std::uint64_t late = 0;             ///<   because patience was exceeded;
  std::uint64_t large = 0;            ///<   with one call that no buffer holds. Others: at flush
  std::size_t max_buffer_bytes = 0;   ///< maximum at any time
  std::size_t max_in_flight = 0;      ///< maximum at any time
  std::size_t max_backlog_bytes = 0;  ///< maximum of calls passed on and not yet sent
};

namespace detail {

/// For calls whose results come back: all calls have one size, and all answers.
struct batch_answers {
  std::size_t call_bytes = 0;
  std::size_t answer_bytes = 0;  ///< 0: no answers
  void (*deliver)(void* to, wire::reader& answers) = nullptr;
  void* to = nullptr;
};

/// State of the batches in flight. They share it, because they may outlive the aggregator.
struct batch_ledger {
  std::size_t bytes = 0;
  std::exception_ptr failure;  ///< the first
  batch_answers answers;       ///< not delivered after the aggregator was destroyed
};

class batch_sender {
 public:
  /// `prefix`: what each batch begins with, its flags and function.
  /// Errors: bad_argument if a call cannot fit within the options.
  batch_sender(const world& world, fabric::handler_index handler, std::vector<std::byte> prefix,
               const aggregator_options& options, const batch_answers& answers = {});
  /// Flushes, unless an exception destroys the object. A function's failure goes to far::quiesce.
  ~batch_sender();
  batch_sender(const batch_sender&) = delete;
  batch_sender& operator=(const batch_sender&) = delete;

  /// Where to write a call of `bytes` bytes; the caller then moves `at` behind it. Returns null if
  /// no buffer is that large. May send, and wait.
  [[nodiscard]] batch_end* space_for(int rank, std::size_t bytes) {
    if (--pushes_until_check_ == 0) look();
    if (static_cast<unsigned>(rank) >= static_cast<unsigned>(size_)) throw_no_rank(rank);
    batch_end& end = buffers_.end_of(rank);
    if (static_cast<std::size_t>(end.end - end.at) < bytes && !grow(rank, bytes)) {
      return nullptr;
    }
    return &end;
  }
  using write_call = base::function_ref<void(std::byte*)>;
  /// Sends a call that is too large for a buffer.
  void send_large(int rank, std::size_t bytes, write_call write);
  /// From any thread of the rank: keeps a call until the owner sends it.
  void pass_on(int rank, std::size_t bytes, write_call write);

  void poll();
  void flush();
  /// Whether flush would send anything.
  [[nodiscard]] bool waiting() const noexcept {
    return buffers_.open_count() != 0 || taken_at_ != taken_.size() ||
           backlogged_.load(std::memory_order_acquire);
  }
  [[nodiscard]] aggregator_counts counts() const;

 private:
  class turn;

  [[noreturn]] void throw_no_rank(int rank) const;
  /// Returns false if no buffer is that large.
  bool grow(int rank, std::size_t bytes);
  void flush_at_end() noexcept;
  void look();
  void send_late(std::uint64_t now_ns);
  void send_backlog();
  void append(int rank, std::span<const std::byte> call);
  bool space_in_order(int rank, std::size_t bytes);
  void large_in_turn(int rank, std::size_t bytes, write_call write);
  [[nodiscard]] std::uint32_t reply_bytes_for(std::size_t batch_bytes) const noexcept;
  void send(int rank);
  void await_space_in_flight(int rank, std::size_t bytes);

  world world_;
  int size_;
  fabric::handler_index handler_;
  std::uint32_t pushes_until_check_ = 1;
  std::uint32_t pushes_per_check_ = 1;
  std::uint64_t last_poll_ns_ = 0;
  std::vector<std::byte> prefix_;
  aggregator_options options_;
  batch_buffers buffers_;
  std::shared_ptr<batch_ledger> ledger_;
  aggregator_counts counts_;
  bool busy_ = false;  ///< the owner is in a call, perhaps waiting
  base::unwind_watch watch_;

  // The backlog: {rank, bytes, call} one behind the other. `taken_` is the part that the owner is
  // sending; it and the position in it survive an exception.
  std::vector<std::byte> taken_;
  std::size_t taken_at_ = 0;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::byte> backlog_;
  std::size_t max_backlog_bytes_ = 0;
  std::atomic<bool> backlogged_{false};
};

}  // namespace detail
}  // namespace far
