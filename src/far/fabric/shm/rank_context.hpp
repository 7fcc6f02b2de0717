#pragma once

#include <array>
#include <deque>
#include <vector>

#include "far/fabric/context.hpp"
#include "far/fabric/shm/message_ring.hpp"
#include "far/fabric/shm/rank_fabric.hpp"

namespace far::fabric::shm {

/// What amo does, and what a signal does, to a word of this machine.
std::uint64_t perform(std::byte* where, const amo_request& request);
void raise(std::byte* where, const signal& change) noexcept;

/// A context of an shm rank. One-sided operations finish inside the call (rank_rma.cpp);
/// messages go through rings (rank_messages.cpp); waiting is in rank_wait.cpp.
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
  void compute(std::uint64_t duration_ns) override;
  [[nodiscard]] std::uint64_t peek(address word) const override;

  [[nodiscard]] bool is_service() const noexcept { return is_service_; }
  /// Completes the request whose reply has come first, if any. No more than one: whoever waits
  /// for it goes on without a look at the line of the next, which is the other side's by now.
  bool take_reply();
  [[nodiscard]] bool has_replies() const noexcept { return replies_.ready(); }
  /// Ends operations on ranks of other nodes. True if there were any.
  bool end_far() { return home_->uplink() != nullptr && home_->uplink()->progress(index()); }
  [[nodiscard]] bool has_ended() const noexcept {
    return home_->uplink() != nullptr && home_->uplink()->has_ended(index());
  }

 protected:
  void defer(int lane_index, task work) override;

  void check_message(const send_request& message) const;
  /// Puts a checked message on its way, or returns false for want of credit.
  bool push(const send_request& message);
  [[nodiscard]] rank_fabric& home() const noexcept { return *home_; }
  [[nodiscard]] context_block& block() const noexcept { return *block_; }
  void count_sent() noexcept;
  void count_handled() noexcept;

 private:
  /// A request on its way or with its target, until the reply comes.
  struct open_request {
    request* origin = nullptr;
    std::uint32_t serial = 0;
    std::uint32_t cells = 0;  // of this context's reply ring, kept free for the reply
  };

  /// Made where it is used: one that has an address is built in memory, and read back slowly.
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
  /// Before closing: waits for the replies of open requests, which would find nobody. Where it
  /// cannot, as an exception is on its way or the job has failed, it returns false: another
  /// context in this place would get them.
  bool end_requests() noexcept;
  /// Before closing, as end_requests: for what is under way to other nodes.
  void end_far_operations() noexcept;
  /// As home().check_bounds, which first asks other nodes' ranks where that may help.
  void check_range(address a, std::uint64_t bytes);
  void check_word(const amo_request& request);
  enum class wake_up { ready, news, nothing };  // nothing: a time-out
  /// Sleeps once, unless a last look finds news, or that it is ready.
  wake_up sleep(base::function_ref<bool()> ready, deadline_ns deadline);
  /// What progress() does: for this context, and for the rank. True if there was anything.
  bool end_own() {
    const bool ended = end_far();
    return take_reply() || ended;
  }
  bool run_lanes();
  void tell_reason(const wait_reason& reason) noexcept;

  rank_fabric* home_;
  context_block* block_;
  bool is_service_;
  bool asked_nic_ = false;  // for an atomic, perhaps on a near rank's word
  ring_consumer replies_;
  std::vector<open_request> slots_;
  std::vector<std::uint16_t> free_slots_;
  std::uint64_t reserved_cells_ = 0;
  std::array<std::byte, max_payload + max_landings * sizeof(landing)> scratch_;
};

}  // namespace far::fabric::shm
