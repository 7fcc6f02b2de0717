#pragma once
// Use of a ring by messages: the host does the steps of ring.hpp, and replies.
//
// The host works on the same cursors by the same atomics as everyone, so calls and one-sided
// operations may meet on one ring. Nothing at the host waits: it makes each step once, and where
// one would have to be tried again, because a claim of somebody else's is in the way, it replies
// how far it has come. The caller goes on from there, one-sided.

#include <cstddef>
#include <cstdint>

#include "far/containers/promise.hpp"
#include "far/containers/ring_user.hpp"

namespace far::containers {

/// As ring_user; cost: one message each way, unless one-sided operations are under way.
class ring_caller {
 public:
  static constexpr promised promise = promised::anything;

  ring_caller(const world& view, const ring& where) noexcept : user_(view, where) {}

  bool try_push(const std::byte* values, std::uint64_t n);
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);
  void await_room(std::uint64_t n) { user_.await_room(n); }
  void await_value() { user_.await_value(); }

 private:
  ring_user user_;
};

}  // namespace far::containers
