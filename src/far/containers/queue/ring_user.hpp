#pragma once
// One-sided use of a ring while any rank may push and pop: the steps of ring.hpp, from afar.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "far/containers/promise.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// One thread's. Values are bytes: n slots of them.
class ring_user {
 public:
  static constexpr promised promise = promised::anything;

  ring_user(const world& view, const ring& where) noexcept : view_(view), where_(where) {}

  /// All n values, or false and none. Cost: queue_costs::concurrent::push.
  bool try_push(const std::byte* values, std::uint64_t n);
  /// The oldest values, up to n; how many. Cost: queue_costs::concurrent::pop.
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);
  /// Return when a push of n, or a pop, might succeed.
  void await_room(std::uint64_t n);
  void await_value();

  // Parts of them, where the host, or a ring of another kind, does the rest.

  /// The first of n positions, claimed for a push, or nothing if it is full.
  [[nodiscard]] std::optional<std::uint64_t> claim_room(std::uint64_t n);

  /// A claim of [pos, pos + n) has been made for a push, or a pop.
  bool settle_push(const std::byte* values, std::uint64_t n, std::uint64_t pos);
  std::uint64_t settle_pop(std::byte* values, std::uint64_t n, std::uint64_t pos);
  /// [pos, pos + n) has been written, or read.
  void publish(std::uint64_t pos, std::uint64_t n) { advance(where_.ready(view_), pos, n); }
  void release(std::uint64_t pos, std::uint64_t n) { advance(where_.freed(view_), pos, n); }

  [[nodiscard]] const world& view() const noexcept { return view_; }
  [[nodiscard]] const ring& where() const noexcept { return where_; }

 private:
  void write(const std::byte* values, std::uint64_t n, std::uint64_t pos);
  [[nodiscard]] bool keep_or_return(std::uint64_t pos, std::uint64_t n);
  [[nodiscard]] bool has_room_below(std::uint64_t end);
  [[nodiscard]] std::uint64_t readable(std::uint64_t pos, std::uint64_t n);
  [[nodiscard]] bool sees_room(std::uint64_t n);
  [[nodiscard]] bool sees_value();
  void advance(const atomic_ref<std::uint64_t>& cursor, std::uint64_t pos, std::uint64_t n);

  world view_;
  ring where_;
  std::uint64_t freed_seen_ = 0;
  std::uint64_t ready_seen_ = 0;
  // The last push found it full, the last pop empty: the next one looks before it claims, so that
  // those who try again and again do not make claims that only get in each other's way.
  bool was_full_ = false;
  bool was_empty_ = false;
};

}  // namespace far::containers
