#pragma once

#include <cstdint>

namespace far {

/// Who performs the operations of a container that lies in the segments.
enum class policy : std::uint8_t {
  one_sided,  ///< who asks, from afar; the home of the data need not make progress
  rpc,        ///< the home of the data, when it makes progress: a message each way
};

}  // namespace far
