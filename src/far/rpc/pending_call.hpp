#pragma once
// A remote call from its caller's side, until the result has arrived. It is allocated together with
// the future's state.
//
// Threads: belongs to the context that the call was started on.
// Ownership: the call holds a reference to its own state until the reply has arrived
// (begin_operation), so the future may be destroyed before. Arguments that were kept for the target
// are dropped then.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>

#include "far/fabric/message.hpp"
#include "far/rma/future.hpp"
#include "far/rpc/reply.hpp"

namespace far::detail {

/// The part of a call that does not depend on the result's type: receives replies, also those that
/// are kept elsewhere.
class pending_call : public fabric::request {
 public:
  pending_call(fabric::context& context, rank_state& state) noexcept;
  pending_call(const pending_call&) = delete;
  pending_call& operator=(const pending_call&) = delete;

  /// The arguments' address, if they travel apart from the message.
  void keep_arguments(const kept_bytes& kept) noexcept { arguments_ = kept.place; }

 protected:
  virtual ~pending_call();
  /// Reads the result, behind the status. May throw; then refuse is called.
  virtual void accept(wire::reader& from) = 0;
  virtual void refuse(std::exception_ptr failure) noexcept = 0;
  void note_failure(std::exception_ptr failure) const;
  /// Called after accept or refuse. May destroy the call.
  virtual void finish_call() noexcept = 0;

 private:
  static void on_reply_bytes(fabric::request& self, fabric::payload bytes) noexcept;
  static void on_replied(fabric::completion& self) noexcept;
  static void on_fetched(fabric::completion& self) noexcept;
  void read(fabric::payload bytes, bool fetched) noexcept;
  void fetch();
  void end_call() noexcept;
  void drop_arguments() noexcept;

  fabric::context* context_;
  rank_state* state_;
  fabric::address arguments_;
  kept_bytes elsewhere_;  // where the reply is kept
  std::unique_ptr<std::byte[]> fetched_;
};

/// The state of the future that far::rpc returns.
template <class T>
class call_state final : public future_state<T>, public pending_call {
 public:
  call_state(fabric::context& context, rank_state& state, int rank)
      : future_state<T>(context), pending_call(context, state) {
    this->describe("remote call", rank);
  }

 private:
  void accept(wire::reader& from) override {
    if constexpr (std::is_void_v<T>) {
      this->set_value();
    } else {
      this->set_value(from.get<T>());
    }
    from.finish();
  }
  void refuse(std::exception_ptr failure) noexcept override { this->set_error(std::move(failure)); }
  void finish_call() noexcept override {
    this->finish();
    this->end_operation();
  }
};

/// A one-way call whose arguments are fetched: nothing waits for it, but it must drop them.
class kept_one_way final : public future_state_base, public pending_call {
 public:
  kept_one_way(fabric::context& context, rank_state& state)
      : future_state_base(context), pending_call(context, state) {}

 private:
  void accept(wire::reader&) override {}
  void refuse(std::exception_ptr failure) noexcept override;
  void finish_call() noexcept override { end_operation(); }
};

/// Sends the message with the call as its request. From then on the call holds itself.
template <class Call>
void send_request(Call& call, fabric::send_request& message, std::uint32_t reply_bytes,
                  const kept_bytes& arguments) {
  call.keep_arguments(arguments);
  message.reply = &call;
  message.reply_bytes = reply_bytes;
  call.begin_operation();
  try {
    call.context().send(message);
  } catch (...) {
    call.end_operation();
    throw;
  }
}

}  // namespace far::detail
