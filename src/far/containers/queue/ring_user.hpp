#pragma once
// One-sided use of a ring while any rank may push and pop: the caller does the steps of ring.hpp.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "far/containers/phase.hpp"
#include "far/containers/queue/ring.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Belongs to one thread. Values are bytes: n slots of them.
class ring_user {
 public:
  static constexpr phase_kind phase = phase_kind::mixed;

  ring_user(const far::world& world, const ring& where) noexcept : world_(world), where_(where) {}

  /// Pushes all n values, or returns false and pushes none. Cost: queue_costs::concurrent::push.
  bool try_push(const std::byte* values, std::uint64_t n);
  /// Pops the oldest values, up to n. Returns how many. Cost: queue_costs::concurrent::pop.
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);
  /// Wait until a push of n values, or a pop, might succeed.
  void await_space(std::uint64_t n);
  void await_value();

  // Parts of these, for use if the host, or a ring of another kind, does the rest.

  /// Claims n positions for a push. Returns the first, or nothing if the ring is full.
  [[nodiscard]] std::optional<std::uint64_t> claim_space(std::uint64_t n);

  /// Complete a push, or a pop, for which [pos, pos + n) has been claimed.
  bool finish_push(const std::byte* values, std::uint64_t n, std::uint64_t pos);
  std::uint64_t finish_pop(std::byte* values, std::uint64_t n, std::uint64_t pos);
  /// Settle [pos, pos + n), which has been written, or read.
  void publish(std::uint64_t pos, std::uint64_t n) { where_.pushes(world_).settle(pos, pos + n); }
  void release(std::uint64_t pos, std::uint64_t n) { where_.pops(world_).settle(pos, pos + n); }

  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  [[nodiscard]] const ring& where() const noexcept { return where_; }

 private:
  void write(const std::byte* values, std::uint64_t n, std::uint64_t pos);
  [[nodiscard]] bool keep_or_return(std::uint64_t pos, std::uint64_t n);
  [[nodiscard]] bool has_space_below(std::uint64_t end);
  [[nodiscard]] std::uint64_t readable(std::uint64_t pos, std::uint64_t n);
  [[nodiscard]] bool sees_space(std::uint64_t n);
  [[nodiscard]] bool sees_value();

  far::world world_;
  ring where_;
  std::uint64_t freed_seen_ = 0;
  std::uint64_t ready_seen_ = 0;
  // Whether the last push found the ring full, or the last pop found it empty. Then the next one
  // looks before it claims, so that repeated tries do not make claims that only hinder each other.
  bool was_full_ = false;
  bool was_empty_ = false;
};

}  // namespace far::containers
