#pragma once

#include <cstdint>

#include "far/base/language.hpp"

namespace far {

/// Who performs the operations of a container that lies in the segments.
enum class policy : std::uint8_t {
  automatic,  ///< the cheaper of the two for each operation and home, by the model and
              ///< by measured costs
  one_sided,  ///< the caller, one-sided; the home of the data need not make progress
  rpc,        ///< the home of the data, when it makes progress: one message each way
};

}  // namespace far
