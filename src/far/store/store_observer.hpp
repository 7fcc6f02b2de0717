#pragma once

#include <cstdint>
#include <string_view>

#include "far/store/request.hpp"

namespace far {

/// Why an item leaves a store without being asked to.
enum class departure : std::uint8_t {
  evicted,  ///< to make room for others
  expired,  ///< its memory is taken back, some time after its expiry
};

/// Is told of items that leave a store so.
class store_observer {
 public:
  store_observer() = default;
  store_observer(const store_observer&) = delete;
  store_observer& operator=(const store_observer&) = delete;

  /// This rank removes an item, from its own part or from another one of this machine. Called by
  /// any thread of the rank, under the part's lock: it must be quick, must not use the store, and
  /// must not throw. The key is valid during the call.
  virtual void leaves(departure why, std::string_view key, const item_info& item) noexcept = 0;

 protected:
  ~store_observer() = default;
};

}  // namespace far
