#pragma once
// The distributed objects of a rank, by number: handlers find their part of an object here.
//
// Threads: safe. A handler holds a reference to the part that it has found, so the part outlives
// the handler's run.

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "far/world/world.hpp"

namespace far::homes {

/// An object's number. It is the same on every rank, because all ranks make objects collectively,
/// in the same order. A number is never reused.
using object_id = std::uint32_t;

/// Attached to each rank's state.
class registry {
 public:
  explicit registry(rank_state& state) : rank_(state.fabric().rank()) {}

  /// Adds this rank's part of a new object.
  template <class Part>
  [[nodiscard]] object_id add(std::shared_ptr<Part> part) {
    return add(typeid(Part), std::move(part));
  }
  void remove(object_id id);

  /// This rank's part. Errors: fabric_error if the object is gone or has another type.
  template <class Part>
  [[nodiscard]] std::shared_ptr<Part> find(object_id id) {
    return std::static_pointer_cast<Part>(find(id, typeid(Part)));
  }
  /// The same, or null.
  template <class Part>
  [[nodiscard]] std::shared_ptr<Part> find_if(object_id id) {
    return std::static_pointer_cast<Part>(find_if(id, typeid(Part)));
  }

 private:
  struct entry {
    object_id id;
    const std::type_info* type;
    std::shared_ptr<void> part;
  };

  object_id add(const std::type_info& type, std::shared_ptr<void> part);
  [[nodiscard]] std::shared_ptr<void> find(object_id id, const std::type_info& type);
  [[nodiscard]] std::shared_ptr<void> find_if(object_id id, const std::type_info& type);
  /// The place of an entry, or of the first one behind where it would be.
  [[nodiscard]] std::vector<entry>::iterator place_of(object_id id);

  int rank_;
  std::mutex mutex_;
  object_id next_ = 0;
  std::vector<entry> entries_;  // ascending by number
};

/// Collective: returns when every rank has added its part of the object.
/// Errors: bad_argument, on every rank, unless all ranks have added the same number and type.
void agree_on_object(const world& world, object_id id, std::string_view type);

}  // namespace far::homes
