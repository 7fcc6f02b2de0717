#include "far/world/interrupt.hpp"

#include "far/fabric/interrupt.hpp"

namespace far {

void interrupt() noexcept { fabric::interrupt(); }

}  // namespace far
