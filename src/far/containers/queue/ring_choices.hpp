#pragma once
// How policy::automatic chooses for a ring on another machine: by what pushes and pops are expected
// to cost by their formulas (queue_costs.hpp), and by what they have cost this rank, on all its
// rings together. As in hash tables, the cost of a call is its wait plus the time that it takes at
// its host (map_choices.hpp).

#include <cstddef>
#include <cstdint>
#include <memory>

#include "far/containers/queue/ring_calls.hpp"
#include "far/memory/allocate.hpp"
#include "far/model/chooser.hpp"
#include "far/model/known_costs.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// What the costs of an operation depend on. After a refusal, the next one looks before it claims.
enum class ring_operation : std::uint8_t { push, pop, push_again, pop_again };
inline constexpr std::size_t ring_operations = 4;

/// State of one rank. Threads: any.
class ring_choices {
 public:
  /// The choice for an operation that begins now.
  struct begun {
    model::choice chosen;
    std::uint64_t at = 0;
    std::uint64_t served_ns = 0;  // of its context

    [[nodiscard]] bool by_call() const noexcept { return chosen.how == model::way::call; }
  };

  /// Returns null if there is no choice: all rings of these hosts are reached by plain
  /// instructions. `domain`: who performs the atomics on their cursors.
  /// Errors: bad_argument for an invalid file of costs.
  static std::unique_ptr<ring_choices> make(const world& world, int first_host, int hosts,
                                            amo_domain domain);
  ring_choices(const world& world, amo_domain domain);

  /// Whether there is a choice for a ring at `host`.
  [[nodiscard]] bool concerns(const world& world, int host) const noexcept;

  [[nodiscard]] begun begin(const world& world, int host, ring_operation what, std::size_t bytes);
  /// The operation has ended, in the same thread. `call`: its times, if it was a call.
  void end(const world& world, const begun& operation, const call_times& call);

  [[nodiscard]] model::choice_counts counted() const { return chooser_.counted(); }

 private:
  static constexpr std::size_t sizes = 4;
  static constexpr std::size_t kinds = ring_operations * sizes;

  amo_domain domain_;
  const model::known_costs* known_;
  model::last_end last_;
  model::chooser chooser_;  // one-sided by distance and kind, calls by host and kind
};

}  // namespace far::containers
