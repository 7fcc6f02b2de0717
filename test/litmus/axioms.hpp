#pragma once
// docs/memory_model.md as an abstract machine that is as weak as its axioms allow. It has one
// memory (axiom 3). What a thread changes by blocking operations goes there through a queue of its
// own, in order (5) but perhaps late (6); non-blocking operations take place at any time until they
// are complete or flushed (8). allowed() tries every order there is.

#include <cstdint>
#include <vector>

#include "test/litmus/program.hpp"

namespace far::litmus {

/// Mistakes that a fabric might make. A test builds each in, to see it found.
enum class defect : std::uint8_t {
  nothing,
  flush_does_nothing,     ///< against axiom 7
  signal_before_payload,  ///< against axiom 9
  words_tear,             ///< against axiom 1
  updates_lose,           ///< read-modify-writes not atomic: against axiom 4
  puts_out_of_order,      ///< blocking ones: against axiom 5
  own_puts_unseen,        ///< by own blocking gets, for a while: against axiom 6
  handler_before_puts,    ///< messages overtake complete puts: against axiom 10
};

struct machine {
  /// Axiom 6: a change that blocks may still be on its way when its call returns. Without, the
  /// machine is a fabric that waits until others see the change.
  bool late_changes = true;
  /// Axiom 2: until it is complete, a transfer may write again what it has written.
  bool rewrites = true;
  defect mistake = defect::nothing;
};

/// Every outcome that `p` can have, sorted.
[[nodiscard]] std::vector<outcome> allowed(const program& p, const machine& how = {});

}  // namespace far::litmus
