#include "far/containers/queue/ring_calls.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "far/containers/queue/transferred_claims.hpp"
#include "far/rma/async.hpp"
#include "far/rpc/call.hpp"

namespace far::containers {
namespace {

/// How far the host has come.
enum class reached : std::uint8_t {
  refused,  ///< nothing was claimed: full, or empty
  claimed,  ///< the claim is too early and could not be given back
  moved,    ///< the values are transferred, but an earlier claim is not settled
  finished,
};

struct answer {
  reached step = reached::refused;
  std::uint64_t pos = 0;  ///< of the claim, if there is one
  std::uint64_t host_ns = 0;
};

/// An answer and the popped values.
using pop_answer = std::tuple<answer, std::vector<std::byte>>;

using bytes = std::vector<std::byte>;

/// Moves the cursor, now at `seen`, over the transferred claims that begin there.
future<answer> catch_up(const world& world, const atomic_ref<std::uint64_t>& cursor,
                        std::uint64_t pos, std::uint64_t end, std::uint64_t seen) {
  const std::uint64_t next =
      world.state().get<transferred_claims>().end_from(cursor.place().bits(), seen);
  if (next == seen) {
    const bool is_over = seen >= end && seen < ring_closed;
    return ready_future(world, answer{is_over ? reached::finished : reached::moved, pos, 0});
  }
  return cursor.compare_exchange_async(seen, next)
      .then([world, cursor, pos, end, seen, next](std::uint64_t found) {
        return catch_up(world, cursor, pos, end, found == seen ? next : found);
      });
}

/// The values of a claim have been transferred: moves the cursor over it if its turn has come.
future<answer> advance(const world& world, const atomic_ref<std::uint64_t>& cursor,
                       std::uint64_t pos, std::uint64_t end) {
  return cursor.compare_exchange_async(pos, end).then(
      [world, cursor, pos, end](std::uint64_t found) {
        if (found == pos) return catch_up(world, cursor, pos, end, end);
        world.state().get<transferred_claims>().add(cursor.place().bits(), pos, end);
        return catch_up(world, cursor, pos, end, found);
      });
}

future<answer> write_claim(const world& world, const ring& where, std::uint64_t pos,
                           std::uint64_t n, bytes values) {
  const ring_parts<put_part> parts(where, pos, std::as_const(values).data(), n);
  future<void> written = rma::start_put(world, parts.all());
  return written.then([world, where, pos, n, kept = std::move(values)] {
    return advance(world, where.ready(world), pos, pos + n);
  });
}

future<answer> finish_push(const world& world, const ring& where, std::uint64_t pos,
                           std::uint64_t n, bytes values) {
  return where.freed(world).load_async().then(
      [world, where, pos, n, values = std::move(values)](std::uint64_t freed) mutable {
        if (pos + n <= position_of(freed) + where.capacity) {
          return write_claim(world, where, pos, n, std::move(values));
        }
        return where.tail(world)
            .compare_exchange_async(pos + n, pos)
            .then([pos, n](std::uint64_t seen) {
              return answer{seen == pos + n ? reached::refused : reached::claimed, pos, 0};
            });
      });
}

/// Handles a push at the host.
future<answer> push_at_host(world& world, ring where, std::uint64_t n, bytes values) {
  const std::uint64_t begin = world.now();
  return where.tail(world)
      .fetch_add_async(n)
      .then([world, where, n, values = std::move(values)](std::uint64_t pos) mutable {
        return finish_push(world, where, pos, n, std::move(values));
      })
      .then([world, begin](answer result) {
        result.host_ns = world.now() - begin;
        return result;
      });
}

future<pop_answer> read_claim(const world& world, const ring& where, std::uint64_t pos,
                              std::uint64_t n) {
  bytes values(n * where.slot_bytes);
  const ring_parts<get_part> parts(where, pos, values.data(), n);
  future<void> read = rma::start_get(world, parts.all());
  return read.then([world, where, pos, n, values = std::move(values)]() mutable {
    return advance(world, where.freed(world), pos, pos + n)
        .then([values = std::move(values)](answer result) mutable {
          return pop_answer(result, std::move(values));
        });
  });
}

future<pop_answer> finish_pop(const world& world, const ring& where, std::uint64_t pos,
                              std::uint64_t n) {
  return where.ready(world).load_async().then([world, where, pos, n](std::uint64_t ready) {
    const std::uint64_t count = below(position_of(ready), pos, n);
    if (count == n) return read_claim(world, where, pos, n);
    return where.head(world)
        .compare_exchange_async(pos + n, pos + count)
        .then([world, where, pos, n, count](std::uint64_t seen) {
          if (seen == pos + n && count > 0) return read_claim(world, where, pos, count);
          const answer result{seen == pos + n ? reached::refused : reached::claimed, pos, 0};
          return ready_future(world, pop_answer(result, {}));
        });
  });
}

/// Handles a pop at the host.
future<pop_answer> pop_at_host(world& world, ring where, std::uint64_t n) {
  const std::uint64_t begin = world.now();
  return where.head(world)
      .fetch_add_async(n)
      .then([world, where, n](std::uint64_t pos) { return finish_pop(world, where, pos, n); })
      .then([world, begin](pop_answer result) {
        std::get<answer>(result).host_ns = world.now() - begin;
        return result;
      });
}

}  // namespace

bool push_by_call(ring_user& user, const std::byte* values, std::uint64_t n, call_times& times) {
  const ring& where = user.where();
  check_fits(where, n);
  if (n == 0) return true;
  const std::span<const std::byte> all(values, n * where.slot_bytes);
  const answer result = rpc<push_at_host>(user.world(), where.host(), where, n, all).get();
  times = {user.world().now(), result.host_ns};
  if (result.step == reached::claimed) return user.finish_push(values, n, result.pos);
  if (result.step == reached::moved) user.publish(result.pos, n);
  return result.step != reached::refused;
}

std::uint64_t pop_by_call(ring_user& user, std::byte* values, std::uint64_t n, call_times& times) {
  const ring& where = user.where();
  const world& world = user.world();
  n = std::min(n, where.capacity);
  if (n == 0) return 0;
  constexpr std::uint64_t overhead_bytes = 1 + sizeof(answer) + 10;  // status, answer, length
  detail::call_options options;
  options.reply_bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(overhead_bytes + n * where.slot_bytes, world.fabric().max_payload()));
  const auto [result, popped] =
      detail::start_call(world, where.host(), options, detail::constant_function<pop_at_host>{},
                         where, n)
          .get();
  times = {world.now(), result.host_ns};
  if (result.step == reached::claimed) return user.finish_pop(values, n, result.pos);
  const std::uint64_t count = popped.size() / where.slot_bytes;
  if (count > 0) std::memcpy(values, popped.data(), popped.size());
  if (result.step == reached::moved) user.release(result.pos, count);
  return count;
}

}  // namespace far::containers
