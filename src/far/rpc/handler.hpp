#pragma once
// The target's side of a remote call: the handler for each function and list of argument types.
//
// On the wire, a request is one byte of request_flags, the function object, unless it has no state,
// and the arguments; or, with `elsewhere`, the flags and the kept_bytes that hold the rest.
//
// Threads: runs on the lane, in progress of any context of the rank or on the service thread.

#include <cstdint>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "far/fabric/message.hpp"
#include "far/rpc/function.hpp"
#include "far/rpc/reply.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far::detail {

enum class request_flags : std::uint8_t {
  none = 0,
  elsewhere = 1,  ///< the arguments are kept at the caller
  nested = 2,     ///< sent by a function, as a forward: it must not make calls
};
[[nodiscard]] constexpr request_flags operator|(request_flags a, request_flags b) noexcept {
  return static_cast<request_flags>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
[[nodiscard]] constexpr bool has(request_flags set, request_flags flag) noexcept {
  return (static_cast<std::uint8_t>(set) & static_cast<std::uint8_t>(flag)) != 0;
}

/// world::thread() of the views that functions get. It tells far::rpc what it may send.
inline constexpr int thread_of_function = -1;
inline constexpr int thread_of_nested_function = -2;

/// Runs a call whose arguments had to be fetched.
using run_fetched = void (*)(const caller& to, bool nested, fabric::payload arguments);

/// Fetches kept arguments in a task, and then runs the call.
void fetch_arguments(fabric::message& message, const caller& to, bool nested,
                     const kept_bytes& kept, run_fetched run);

/// Takes the token: from here on, one reply must be sent.
[[nodiscard]] caller caller_of(fabric::message& message);

/// The function object that a request names or carries.
template <class F>
[[nodiscard]] F function_from([[maybe_unused]] wire::reader& reader) {
  if constexpr (is_stateless<F>) {
    return F{};
  } else {
    return reader.get<F>();
  }
}

/// A function object and its arguments, as received.
template <class F, class... Args>
struct arrived_call {
  using traits = function_traits<F, Args...>;

  [[no_unique_address]] F function;
  [[no_unique_address]] std::tuple<Args...> arguments;

  static arrived_call from(wire::reader& reader) {
    // Braces fix the order of evaluation.
    arrived_call call{function_from<F>(reader), std::tuple<Args...>{reader.get<Args>()...}};
    reader.finish();
    return call;
  }

  /// Runs the call and replies, also with what is thrown.
  void run(const caller& to, bool nested) noexcept {
    if (to.leaves()) return;
    try {
      if constexpr (traits::wants == function_wants::world) {
        world world(*to.state(), *to.lane, nested ? thread_of_nested_function : thread_of_function);
        reply_with(to, [&] { return apply(world); });
      } else if constexpr (traits::wants == function_wants::rank_state) {
        reply_with(to, [&] { return apply(*to.state()); });
      } else if constexpr (traits::wants == function_wants::arguments) {
        reply_with(to, [&] { return apply(); });
      }
    } catch (...) {
      reply_exception(to, std::current_exception());
    }
  }

 private:
  template <class... First>
  decltype(auto) apply(First&... first) {
    return std::apply(
        [&](Args&... args) -> decltype(auto) {
          return std::invoke(function, first..., std::move(args)...);
        },
        arguments);
  }

  template <class Call>
  static void reply_with(const caller& to, Call call) {
    if constexpr (traits::returns_future) {
      reply_when_ready(to, call());
    } else if constexpr (std::is_void_v<typename traits::returned>) {
      call();
      reply_value(to);
    } else {
      const typename traits::returned& value = call();  // the object itself, or a temporary
      reply_value(to, value);
    }
  }
};

template <class F, class... Args>
struct rpc_handler {
  using call_type = arrived_call<F, Args...>;

  static void run(fabric::message& message) {
    const caller to = caller_of(message);
    if (to.leaves()) return;
    try {
      wire::reader reader(message.bytes());
      const auto flags = reader.get<request_flags>();
      const bool nested = has(flags, request_flags::nested);
      if (has(flags, request_flags::elsewhere)) {
        const auto kept = reader.get<kept_bytes>();
        reader.finish();
        fetch_arguments(message, to, nested, kept, &run_on);
        return;
      }
      auto call = call_type::from(reader);
      if constexpr (call_type::traits::wants != function_wants::world) {
        call.run(to, nested);
      } else if (nested) {
        message.defer([token = to.token, call = std::move(call)](fabric::context& lane) mutable {
          call.run({&lane, token}, true);
        });
      } else {
        // Without `nested`, token and 16 bytes of arguments fit in a task without allocation.
        message.defer([token = to.token, call = std::move(call)](fabric::context& lane) mutable {
          call.run({&lane, token}, false);
        });
      }
    } catch (...) {
      reply_exception(to, std::current_exception());
    }
  }

 private:
  static void run_on(const caller& to, bool nested, fabric::payload arguments) {
    wire::reader reader(arguments);
    call_type::from(reader).run(to, nested);
  }
};

}  // namespace far::detail
