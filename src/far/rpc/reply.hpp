#pragma once
// Replies of remote calls, from the target's side. On the wire: one byte of reply_status, then
//
//   value      the result, as written by wire::writer
//   exception  {kind : u8, rank : i32, text}
//   elsewhere  kept_bytes: a reply of one of the two kinds above, too large for the message
//
// Threads: a reply may be sent from any context of the rank; these use the lane's.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>

#include "far/fabric/context.hpp"
#include "far/rma/future.hpp"
#include "far/rpc/serialize.hpp"
#include "far/rpc/store.hpp"

namespace far::detail {

enum class reply_status : std::uint8_t { value, exception, elsewhere };

/// Inline reply bytes that each request reserves: enough for an `elsewhere`, and no more than the
/// smallest message of the fabrics holds anyway.
inline constexpr std::uint32_t min_reply_bytes = 24;
static_assert(min_reply_bytes >= 1 + sizeof(kept_bytes));

/// Bytes to build a message in: on the stack if small.
class message_buffer {
 public:
  explicit message_buffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes > small_.size()) large_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  }
  [[nodiscard]] std::byte* data() noexcept { return large_ ? large_.get() : small_.data(); }
  [[nodiscard]] fabric::payload bytes() noexcept { return {data(), bytes_}; }

 private:
  std::size_t bytes_;
  std::array<std::byte, 512> small_;  // left uninitialised
  std::unique_ptr<std::byte[]> large_;
};

/// The destination of a function's result. For one-way calls the token is a default one.
struct caller {
  fabric::context* lane;
  fabric::reply_token token;

  [[nodiscard]] bool waits() const noexcept { return token.expects_reply(); }
  [[nodiscard]] rank_state* state() const noexcept {
    return static_cast<rank_state*>(lane->owner().owner);
  }
  /// This rank has failed and destroys its state: it sends no more replies. Ranks that wait get
  /// rank_failed.
  [[nodiscard]] bool leaves() const noexcept { return state() == nullptr; }
};

/// Replies that the bytes, which begin with a status, are kept here.
void reply_elsewhere(const caller& to, const kept_bytes& kept);
/// Replies with the text and kind of an exception; for one-way calls stores it in the rpc_store.
void reply_exception(const caller& to, const std::exception_ptr& failure) noexcept;
/// Throws what reply_exception wrote, behind the status.
[[noreturn]] void throw_remote_exception(wire::reader& from);

/// Errors: out_of_memory, if a large result does not fit; then nothing was sent.
template <class... Value>
void reply_value(const caller& to, const Value&... value) {
  static_assert(sizeof...(Value) <= 1);
  if (!to.waits()) return;
  const std::size_t bytes = 1 + wire::bytes_of(value...);
  if (bytes <= to.token.reply_bytes) {
    message_buffer buffer(bytes);
    wire::writer(buffer.data())(reply_status::value, value...);
    to.lane->reply(to.token, buffer.bytes());
  } else {
    auto& room = to.state()->get<rpc_store>();
    const kept_bytes kept = room.keep(bytes);
    wire::writer(room.memory_of(kept))(reply_status::value, value...);
    reply_elsewhere(to, kept);
  }
}

/// A continuation that replies with the result of a function that returned a future.
template <class T>
class late_reply final : public future_state_base {
 public:
  late_reply(const caller& to, state_ref<future_state<T>> result)
      : future_state_base(*to.lane), to_(to), result_(std::move(result)) {}

 private:
  bool resume() noexcept override {
    if (to_.leaves()) return true;
    try {
      [[maybe_unused]] stored<T> value = result_->take();
      if constexpr (std::is_void_v<T>) {
        reply_value(to_);
      } else {
        reply_value(to_, value);
      }
    } catch (...) {
      reply_exception(to_, std::current_exception());
    }
    return true;
  }

  caller to_;
  state_ref<future_state<T>> result_;
};

/// Throws bad_argument.
[[noreturn]] void throw_foreign_future();

template <class T>
void reply_when_ready(const caller& to, future<T> result) {
  if (result.valid() && &result.context() != to.lane) throw_foreign_future();
  if (result.ready()) {
    if constexpr (std::is_void_v<T>) {
      result.get();
      reply_value(to);
    } else {
      reply_value(to, result.get());
    }
    return;
  }
  state_ref<future_state<T>> state = future_access::state_of(std::move(result));
  future_state<T>& source = *state;
  // The one reference passes to the source, which lives until its operation finishes it.
  source.continue_with(*new late_reply<T>(to, std::move(state)));
}

}  // namespace far::detail
