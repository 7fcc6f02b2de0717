#pragma once

#include <string_view>

#include "far/store/request.hpp"

namespace far {

/// Is told of items that leave a store without being asked to.
class store_observer {
 public:
  store_observer() = default;
  store_observer(const store_observer&) = delete;
  store_observer& operator=(const store_observer&) = delete;

  /// An item makes room for others: this rank evicts it, from its own part or from another one of
  /// this machine. Called by any thread of the rank, under the part's lock: it must be quick, must
  /// not use the store, and must not throw. The key is valid during the call.
  virtual void evicts(std::string_view key, const item_info& item) noexcept = 0;

 protected:
  ~store_observer() = default;
};

}  // namespace far
