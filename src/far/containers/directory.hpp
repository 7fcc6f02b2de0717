#pragma once
// The distributed objects of a rank, by number: how handlers find their part of one.
//
// Threads: safe. A handler that has found a part holds a reference to it, so the part outlives
// what runs on it.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "far/world/world.hpp"

namespace far::containers {

/// An object's number: the same on every rank, because objects are made collectively, so in the
/// same order everywhere. Never used again.
using object_id = std::uint32_t;

/// Attached to each rank's state.
class directory {
 public:
  explicit directory(rank_state& state) : rank_(state.fabric().rank()) {}

  /// Adds this rank's part of a new object.
  template <class Part>
  [[nodiscard]] object_id add(std::shared_ptr<Part> part) {
    return add({&type_tag<Part>, std::move(part)});
  }
  void remove(object_id id);

  /// This rank's part. Errors: fabric_error if the object is gone, or is another type's.
  template <class Part>
  [[nodiscard]] std::shared_ptr<Part> find(object_id id) {
    return std::static_pointer_cast<Part>(find(id, &type_tag<Part>));
  }

 private:
  struct entry {
    const void* type = nullptr;
    std::shared_ptr<void> part;
  };
  template <class Part>
  static inline const char type_tag = 0;

  object_id add(entry what);
  [[nodiscard]] std::shared_ptr<void> find(object_id id, const void* type);

  int rank_;
  std::mutex mutex_;
  std::vector<entry> entries_;  // by number; empty ones were removed
};

}  // namespace far::containers
