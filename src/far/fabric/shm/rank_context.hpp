#pragma once

#include <array>
#include <deque>
#include <vector>

#include "far/fabric/context.hpp"
#include "far/fabric/shm/message_ring.hpp"
#include "far/fabric/shm/patience.hpp"
#include "far/fabric/shm/rank_fabric.hpp"

namespace far::fabric {

struct rest;

namespace shm {

/// Apply an amo, or a signal, to a word of this machine.
std::uint64_t perform(std::byte* where, const amo_request& request);
void raise(std::byte* where, const signal& change) noexcept;

/// A context of an shm rank. One-sided operations on mapped memory finish inside the call
/// (rank_rma.cpp); messages go through rings (rank_messages.cpp); waiting is in rank_wait.cpp.
class rank_context : public context {
 public:
  rank_context(rank_fabric& home, int index, bool is_service = false);
  ~rank_context() override;

  void put(std::span<const put_part> parts, completion* done, completion* source,
           const signal* after) override;
  void get(std::span<const get_part> parts, completion* done) override;
  void amo(const amo_request& request, completion* done) override;
  void flush(int rank, completion* done) override;
  using context::flush;

  bool try_send(const send_request& message) override;
  void reply(const reply_token& token, payload inline_bytes, std::span<const gather> data) override;

  bool progress() override;
  bool wait(base::function_ref<bool()> ready, deadline_ns deadline,
            const wait_reason& reason) override;
  using context::wait;
  void pause(backoff& state) override;
  void await_turn(turn& state) override;
  void compute(std::uint64_t duration_ns) override;
  [[nodiscard]] std::uint64_t peek(address word) const override;

  [[nodiscard]] bool is_service() const noexcept { return is_service_; }
  /// Completes the request whose reply has arrived first, if any. Only one, so that its waiter
  /// continues without reading the next reply's line, which the other side holds by now.
  bool take_reply();
  [[nodiscard]] bool has_replies() const noexcept { return replies_.ready(); }
  /// Completes operations on ranks of other nodes. True if there were any.
  bool end_remote() { return home_->uplink() != nullptr && home_->uplink()->progress(index()); }
  [[nodiscard]] bool has_ended() const noexcept {
    return home_->uplink() != nullptr && home_->uplink()->has_ended(index());
  }

 protected:
  void defer(int lane_index, task work) override;

  void check_message(const send_request& message) const;
  /// Sends a checked message. False if there is no credit.
  bool push(const send_request& message);
  [[nodiscard]] rank_fabric& home() const noexcept { return *home_; }
  [[nodiscard]] context_block& block() const noexcept { return *block_; }
  void count_sent() noexcept;
  void count_handled() noexcept;

 private:
  /// A request that waits for its reply.
  struct open_request {
    request* origin = nullptr;
    std::uint32_t serial = 0;
    std::uint32_t cells = 0;  // of this context's reply ring, reserved for the reply
  };

  /// Inline where it is used: a header that has an address is built in memory, and reading it back
  /// is slow.
  [[nodiscard]] record_header header_of(const send_request& message, std::uint16_t slot) const {
    record_header header{};
    header.bytes = static_cast<std::uint32_t>(message.head.size() + message.body.size());
    header.serial = slot == no_slot ? 0 : slots_[slot].serial;
    header.slot = slot;
    header.handler = message.handler;
    header.context = static_cast<std::uint16_t>(index());
    header.landings = static_cast<std::uint16_t>(message.landings.size());
    header.source = home().rank();
    header.reply_bytes = message.reply_bytes;
    return header;
  }
  bool push_record(const send_request& message, std::uint16_t slot);
  std::uint16_t open_slot(const send_request& message);
  void close_slot(std::uint16_t slot) noexcept;
  [[nodiscard]] bool is_awaited(const record_header& reply) const noexcept;
  [[nodiscard]] bool all_replied() const noexcept { return free_slots_.size() == slots_.size(); }
  /// For the destructor: waits for the replies of open requests. Returns false if it cannot,
  /// because an exception propagates or the job has failed. Then the index must not be reused,
  /// because another context would get these replies.
  bool end_requests() noexcept;
  /// For the destructor: waits for operations in flight to other nodes, as end_requests.
  void end_remote_operations() noexcept;
  /// Like home().check_bounds, but requests the extents of a rank of another node if necessary.
  void check_range(address a, std::uint64_t bytes);
  void check_word(const amo_request& request);
  enum class wake_up { ready, news, nothing };  // nothing: a timeout
  /// Sleeps once, unless a last check finds news or `ready` holds.
  wake_up sleep(base::function_ref<bool()> ready, deadline_ns deadline);
  /// The same in a wait for plain memory.
  wake_up nap(base::function_ref<bool()> ready, deadline_ns deadline);
  void take(const rest& next);
  /// The two parts of progress(): this context's, and the rank's. True if they did anything.
  bool end_own() {
    const bool ended = end_remote();
    return take_reply() || ended;
  }
  bool run_lanes();
  /// Wakes another context of this rank if a lane has work. For one that has run lanes, or was
  /// woken to, and now leaves.
  void pass_on() noexcept;
  class course;
  void report_reason(const wait_reason& reason) noexcept;

  rank_fabric* home_;
  context_block* block_;
  bool is_service_;
  wait_record record_;
  bool asked_nic_ = false;  // has started an atomic of the nic, perhaps on a near rank's word
  ring_consumer replies_;
  std::vector<open_request> slots_;
  std::vector<std::uint16_t> free_slots_;
  std::uint64_t reserved_cells_ = 0;
  std::uint64_t rests_ = 0;  // so far, for random ones
  std::array<std::byte, max_record_bytes> scratch_;
};

}  // namespace shm
}  // namespace far::fabric
