#pragma once
// docs/memory_model.md as an abstract machine that is as weak as the axioms allow. It has one
// memory (axiom 3). The changes of a thread's blocking operations go there through a queue of the
// thread, in order (5) but perhaps late (6). Non-blocking operations take place at any time until
// they are complete or flushed (8). allowed() tries all orders.

#include <cstdint>
#include <vector>

#include "test/litmus/program.hpp"

namespace far::litmus {

/// Mistakes that a fabric might make. A test builds in each, to check that it is found.
enum class defect : std::uint8_t {
  nothing,
  flush_does_nothing,     ///< against axiom 7
  signal_before_payload,  ///< against axiom 9
  words_tear,             ///< against axiom 1
  updates_lose,           ///< read-modify-writes are not atomic: against axiom 4
  puts_out_of_order,      ///< blocking puts: against axiom 5
  own_puts_unseen,        ///< by the thread's own blocking gets, for a while: against axiom 6
  handler_before_puts,    ///< messages overtake complete puts: against axiom 10
};

struct machine {
  /// Axiom 6: a blocking change may still be in flight when its call returns. If false, the machine
  /// is a fabric that waits until others see the change.
  bool late_changes = true;
  /// Axiom 2: a transfer that is not complete may write again what it has written.
  bool rewrites = true;
  defect mistake = defect::nothing;
};

/// Every outcome that `p` can have, sorted.
[[nodiscard]] std::vector<outcome> allowed(const program& p, const machine& how = {});

}  // namespace far::litmus
