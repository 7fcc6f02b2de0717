#include "bindings/kv/output.hpp"

#include <algorithm>
#include <new>

namespace far::kv {

void output::grow(std::size_t bytes) {
  constexpr std::size_t first = 4096;
  const std::size_t wanted = std::max({first, size_ + bytes, capacity_ * 2});
  auto* const grown = static_cast<char*>(std::realloc(data_.get(), wanted));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(data_.release());
  data_.reset(grown);
  capacity_ = wanted;
}

}  // namespace far::kv
