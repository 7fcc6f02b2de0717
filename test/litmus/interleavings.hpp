#pragma once
// What a program of a cached array may show: docs/memory_model.md, axioms 19 to 25, as an abstract
// machine that tries all orders.
//
// It has one memory, and each step of each thread takes place there at one moment. Sequentially
// consistent steps of a thread come in the order of the program (axiom 19). A pinned write may
// reach memory late, but before the thread's next set or apply (22). An element that a step
// accesses by the relaxed view is weak: steps on it keep the order of the program among each other
// (24), before a set or apply of another element, and after a get or apply of another, where these
// are not weak themselves (25).

#include <vector>

#include "test/litmus/program.hpp"

namespace far::litmus {

/// Every outcome that `p` can have, sorted. Its steps are get, set and apply.
[[nodiscard]] std::vector<outcome> interleavings(const program& p);

}  // namespace far::litmus
