#pragma once

#include <cstdint>

#include "far/base/language.hpp"

namespace far {

/// What the collections of an object_space have done so far, on all ranks.
struct collection_counts {
  std::uint64_t count = 0;          ///< collections
  std::uint64_t pause_ns = 0;       ///< how long all threads stood still in the last one
  std::uint64_t stop_ns = 0;        ///< how long it had waited for all of them to stop
  std::uint64_t freed_objects = 0;  ///< by all; an array is one object
  std::uint64_t freed_bytes = 0;    ///< their fields and elements
  std::uint64_t live_objects = 0;   ///< left by the last one
  std::uint64_t live_bytes = 0;
};

}  // namespace far
