#pragma once
// A remote call from its requester's side, until its result is there: one allocation together
// with the future's state.
//
// Threads: belongs to the context that the call was started on.
// Ownership: the call holds a reference to its own state until the reply has come, so the
// future may be dropped before. Arguments that were kept for the target are dropped then.

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

#include "far/fabric/message.hpp"
#include "far/rma/future.hpp"
#include "far/rpc/reply.hpp"

namespace far::detail {

/// What of a call does not depend on its result's type: receiving replies, also those that are
/// kept elsewhere.
class pending_call : public fabric::request {
 public:
  pending_call(fabric::context& context, rank_state& state) noexcept;
  pending_call(const pending_call&) = delete;
  pending_call& operator=(const pending_call&) = delete;

  /// The arguments' place, if they travel apart from the message.
  void keep_arguments(const kept_bytes& kept) noexcept { arguments_ = kept.place; }

 protected:
  virtual ~pending_call();
  /// The result, behind the status. May throw, which refuses it.
  virtual void accept(wire::reader& from) = 0;
  virtual void refuse(std::exception_ptr failure) noexcept = 0;
  [[nodiscard]] rank_state& state_of_rank() const noexcept { return *state_; }
  /// One of the two has been called. May destroy the call.
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
  kept_bytes elsewhere_;  // of the reply
  std::unique_ptr<std::byte[]> fetched_;
};

/// The state of the future that far::rpc returns.
template <class T>
class call_state final : public future_state<T>, public pending_call {
 public:
  call_state(fabric::context& context, rank_state& state, int rank) noexcept
      : future_state<T>(context), pending_call(context, state) {
    this->describe("remote call", rank);
    this->retain();  // until the reply has come
  }
  /// For a call that was never sent.
  void forget() noexcept { this->release(); }

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
    future_state<T>::finish();
    this->release();
  }
};

/// A one-way call whose arguments are fetched: it waits for nothing but their return.
class kept_one_way final : public pending_call {
 public:
  using pending_call::pending_call;

 private:
  void accept(wire::reader&) override {}
  void refuse(std::exception_ptr failure) noexcept override;
  void finish_call() noexcept override { delete this; }
};

}  // namespace far::detail
