#pragma once
// The target's side of far::aggregator. On the wire, a batch is a request as handler.hpp describes
// it, with the arguments of one call behind those of the other, up to its end.

#include <cstddef>
#include <exception>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "far/fabric/message.hpp"
#include "far/rpc/function.hpp"
#include "far/rpc/handler.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// The prefix of all batches of a function.
template <class F>
[[nodiscard]] std::vector<std::byte> batch_prefix([[maybe_unused]] const F& function) {
  check_callable<F>();
  if constexpr (is_stateless<F>) {
    return wire::to_bytes(request_flags::none);
  } else {
    return wire::to_bytes(request_flags::none, function);
  }
}

/// Runs a function on each list of arguments, and then acknowledges. If a call throws, the others
/// still run, and the reply is the first failure.
template <class F, class... Args>
struct batch_handler {
  static constexpr function_wants wants = function_traits<F, Args...>::wants;

  static void run(fabric::message& message) {
    const caller to = caller_of(message);
    if (to.leaves()) return;
    try {
      wire::reader reader(message.bytes());
      const auto flags = reader.get<request_flags>();
      if (has(flags, request_flags::elsewhere)) {
        const auto kept = reader.get<kept_bytes>();
        reader.finish();
        fetch_arguments(message, to, false, kept, &run_fetched_calls);
      } else if constexpr (wants == function_wants::world) {
        message.defer(
            [token = to.token, calls = std::vector(reader.left().begin(), reader.left().end())](
                fabric::context& lane) {
              run_deferred({&lane, token}, calls);
            });
      } else {
        run_calls(to, reader);
      }
    } catch (...) {
      reply_exception(to, std::current_exception());
    }
  }

 private:
  static void run_fetched_calls(const caller& to, bool, fabric::payload calls) {
    wire::reader reader(calls);
    run_calls(to, reader);
  }

  static void run_deferred(const caller& to, fabric::payload calls) noexcept {
    if (to.leaves()) return;
    try {
      run_fetched_calls(to, false, calls);
    } catch (...) {
      reply_exception(to, std::current_exception());
    }
  }

  /// Errors: fabric_error if the bytes are not a list of calls.
  static void run_calls(const caller& to, wire::reader& reader) {
    F function = function_from<F>(reader);
    std::exception_ptr failure;
    if constexpr (wants == function_wants::world) {
      world world(*to.state(), *to.lane, thread_of_function);
      failure = run_each(function, reader, world);
    } else if constexpr (wants == function_wants::rank_state) {
      failure = run_each(function, reader, *to.state());
    } else {
      failure = run_each(function, reader);
    }
    if (failure != nullptr) {
      reply_exception(to, failure);
    } else {
      reply_value(to);
    }
  }

  template <class... First>
  static std::exception_ptr run_each(F& function, wire::reader& reader, First&... first) {
    std::exception_ptr failure;
    while (!reader.left().empty()) {
      std::tuple<Args...> arguments{reader.get<Args>()...};  // braces fix the order
      try {
        std::apply(
            [&](Args&... args) { (void)std::invoke(function, first..., std::move(args)...); },
            arguments);
      } catch (...) {
        if (failure == nullptr) failure = std::current_exception();
      }
    }
    return failure;
  }
};

}  // namespace far::detail
