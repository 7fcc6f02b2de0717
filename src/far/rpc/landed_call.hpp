#pragma once
// Calls whose result lands in memory of the caller's segments, without a copy: the function names
// pieces of its rank's memory, which the reply gathers, and the caller names the pieces into which
// it is scattered (fabric::landing).

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <tuple>
#include <vector>

#include "far/rpc/call.hpp"

namespace far::detail {

/// What such a function returns. The memory is read before the call has been answered.
using gathered = std::vector<fabric::gather>;

/// The answer to a landed call. Errors: fabric_error if the data do not fill the landings.
void reply_gathered(const caller& to, const gathered& data);

template <auto Function, class... Args>
struct landed_handler {
  static void run(fabric::message& message) {
    const caller to = caller_of(message);
    if (to.leaves()) return;
    try {
      wire::reader reader(message.bytes());
      if (has(reader.get<request_flags>(), request_flags::elsewhere)) {
        wire::throw_malformed("arguments of a landed call that are elsewhere");
      }
      std::tuple<Args...> arguments{reader.get<Args>()...};
      reader.finish();
      reply_gathered(
          to, std::apply([&](Args&... each) { return Function(*to.state(), each...); }, arguments));
    } catch (...) {
      reply_exception(to, std::current_exception());
    }
  }
};

/// Calls Function(rank_state&, args...) on `rank`, inside the handler: it returns `gathered`, as
/// many bytes as the landings have. The arguments must fit in a message.
///
/// Completion: the future is ready when the bytes have landed.
/// Errors: as rpc; out_of_bounds for landings that are not in this rank's segments.
/// Checked by: landed_call_test.data_land_in_pieces
template <auto Function, class... Args>
[[nodiscard]] future<void> start_landed_call(const world& world, int rank,
                                             std::span<const fabric::landing> landings,
                                             const Args&... args) {
  auto state = make_state<call_state<void>>(world.context(), world.state(), rank);
  const auto send = [&](fabric::send_request& message, const kept_bytes& kept) {
    message.landings = landings;
    send_request(*state, message, min_reply_bytes, kept);
  };
  with_call_message<landed_handler<Function, arrives_as<Args>...>>(
      world, rank, {}, constant_function<Function>{}, send, args...);
  return future<void>(state_ref<future_state<void>>(std::move(state)));
}

}  // namespace far::detail
