#pragma once
// Small programs for tests of the explorer, each with and without a planted bug.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/fabric.hpp"
#include "far/fabric/job.hpp"

namespace far::fabric::planted {

constexpr address flag(0, symmetric_segment, 64);
constexpr address data(0, symmetric_segment, 128);

using body = std::function<void(fabric& rank, context& c)>;

/// A job of fibers with a quiesce before the body and after it.
inline rank_body with_context(body inner) {
  return [inner = std::move(inner)](fabric& rank) {
    const auto c = rank.open_context();
    rank.set_extent(symmetric_segment, 8192);
    rank.quiesce(*c);
    inner(rank, *c);
  };
}

inline void put(context& c, address to, std::uint64_t value) {
  completion read;
  const put_part part{to, &value, sizeof(value)};
  c.put({&part, 1}, nullptr, &read);
  c.wait(read, {"put", to.rank(), to});
}

inline std::uint64_t get(context& c, address from) {
  std::uint64_t value = 0;
  completion done;
  const get_part part{from, &value, sizeof(value)};
  c.get({&part, 1}, &done);
  c.wait(done, {"get", from.rank(), from});
  return value;
}

inline std::uint64_t fetch(context& c, amo_request request) {
  std::uint64_t old = 0;
  completion done;
  request.fetched = &old;
  c.amo(request, &done);
  c.wait(done, {"atomic", request.word.rank(), request.word});
  return old;
}

inline void want(std::uint64_t expected, std::uint64_t seen, const char* what) {
  if (seen != expected) throw error(fmt::format("{}: {}, not {}", what, seen, expected));
}

inline constexpr amo_request set_flag = [] {
  amo_request request;
  request.word = flag;
  request.op = amo_op::store;
  request.operand = 1;
  request.wake = true;
  return request;
}();

/// Rank 0 sleeps until a flag is set. Bug: a plain put does not wake it.
inline void wake_up(fabric& rank, context& c, bool correct) {
  if (rank.rank() == 1) {
    if (correct) {
      c.amo(set_flag, nullptr);
    } else {
      put(c, flag, 1);
    }
    c.flush();
  } else {
    c.wait([&] { return c.peek(flag) == 1; }, never, {"the flag", 1, flag});
  }
}

/// Bug: without a flush, the flag may be set before the data has arrived.
inline void pass_message(fabric& rank, context& c, bool correct) {
  if (rank.rank() == 1) {
    put(c, data, 7);
    if (correct) c.flush();
    c.amo(set_flag, nullptr);
    c.flush();
  } else {
    c.wait([&] { return c.peek(flag) == 1; }, never, {"the flag", 1, flag});
    want(7, c.peek(data), "the data behind the flag");
  }
}

/// Each rank adds one to a counter. Bug: if that is not atomic, an addition may be lost.
inline void count(fabric& rank, context& c, bool correct) {
  if (correct) {
    fetch(c, {.word = data, .op = amo_op::add, .operand = 1});
  } else {
    put(c, data, get(c, data) + 1);
    c.flush();
  }
  rank.quiesce(c);
  if (rank.rank() == 0) want(static_cast<std::uint64_t>(rank.size()), get(c, data), "counted");
}

/// A stack of two nodes in rank 0's words: its head names a node, and next[node] the one below.
/// Rank 0 pops the upper node; meanwhile rank 1 pops both and pushes the upper one again. Bug
/// (ABA): a compare-and-swap that sees the same head does not notice; a head with a stamp does.
inline void pop(fabric& rank, context& c, bool correct) {
  const auto next = [](std::uint64_t node) { return data + static_cast<std::int64_t>(8 * node); };
  const std::uint64_t stamp = correct ? 16 : 0;
  const auto swap = [&](std::uint64_t old, std::uint64_t value) {
    const std::uint64_t stamped = value % 16 + (old / 16 * 16 + stamp);
    return fetch(c,
                 {.word = flag, .op = amo_op::compare_swap, .operand = stamped, .compare = old}) ==
           old;
  };
  if (rank.rank() == 0) {
    put(c, flag, 2);
    put(c, next(2), 1);
    c.flush();
  }
  rank.quiesce(c);
  const int wanted = rank.rank() == 0 ? 1 : 2;
  int popped = 0;
  for (int tries = 0; tries < 2 && popped < wanted; ++tries) {
    const std::uint64_t head = get(c, flag);
    if (head % 16 == 0) break;
    if (swap(head, get(c, next(head % 16)))) ++popped;
  }
  if (rank.rank() == 1 && popped == 2) {
    const std::uint64_t head = get(c, flag);
    put(c, next(2), 0);  // the lower node is in use elsewhere
    c.flush();
    if (head % 16 == 0) swap(head, 2);
  }
  rank.quiesce(c);
  if (rank.rank() == 0 && get(c, flag) % 16 == 1 && c.peek(next(2)) == 0) {
    throw error("a node that was popped is back on the stack");
  }
}

}  // namespace far::fabric::planted
