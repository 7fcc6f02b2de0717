#pragma once

#include <cstdint>

#include "far/base/language.hpp"

namespace far {

/// Who performs the operations of a container that lies in the segments.
enum class policy : std::uint8_t {
  automatic,  ///< whichever costs less, by the model and by what is observed, for each operation
              ///< and home
  one_sided,  ///< who asks, from afar; the home of the data need not make progress
  rpc,        ///< the home of the data, when it makes progress: a message each way
};

}  // namespace far
