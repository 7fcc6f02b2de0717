#include "far/fabric/reach.hpp"

#include "far/fabric/fabric.hpp"

namespace far::fabric {

reach::reach(const fabric& fabric) {
  constexpr auto segments = static_cast<std::size_t>(address::max_segments);
  words_.resize(static_cast<std::size_t>(fabric.size()) * segments);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::size_t segment = i % segments;
    const address start(static_cast<int>(i / segments), static_cast<int>(segment), 0);
    const std::byte* const place = fabric.direct(start);
    if (place == nullptr || fabric.layout().bytes[segment] == 0) continue;
    words_[i] = reinterpret_cast<std::uintptr_t>(place) - start.bits();
  }
  if (!fabric.coherent()) atomics_.resize(words_.size());
}

}  // namespace far::fabric
