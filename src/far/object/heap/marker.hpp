#pragma once
// The objects of this rank that a collection has reached.
//
// Each rank marks its own objects. References to others go to their homes, in batches that the
// conductor of the collection passes on (conductor.hpp). The collection has reached everything
// when no rank has anything left to visit or to pass on.
//
// Threads: under part::mutex, while all threads of the space have stopped.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "far/object/heap/reserved_memory.hpp"
#include "far/object/reference.hpp"
#include "far/object/type.hpp"

namespace far::objects {

struct part;

class marker {
 public:
  explicit marker(const part& of);

  /// A reference has been found; what it names is visited later, here or at its home.
  void reach(place at);
  /// The same for all references in `count` elements.
  void reach_all(const std::byte* data, const type_descriptor& type, std::uint64_t count);
  /// Visits at most so many regions. Returns whether any are left.
  bool visit(std::size_t most);
  /// Moves at most so many references to objects of other ranks to `to`. Returns whether any are
  /// left.
  bool take_foreign(std::size_t most, std::vector<std::uint64_t>& to);

  /// A bit for each region that has been reached.
  [[nodiscard]] const std::uint64_t* reached() const noexcept {
    return reinterpret_cast<const std::uint64_t*>(reached_.start());
  }

 private:
  /// Where the references of a type are.
  struct layout {
    std::uint32_t size;
    std::vector<std::uint32_t> references;
  };

  void reach_own(std::uint64_t offset);
  void visit_region(std::uint64_t offset);
  void reach_all(const std::byte* data, const layout& of, std::uint64_t count);
  const layout& layout_of(const type_descriptor& type);
  /// The same for a type of this rank's objects.
  const layout& layout_of(std::uint32_t type);

  const part* part_;
  reserved_memory reached_;
  std::vector<reserved_memory> passed_on_;  // by rank: a bit for each region
  // Offsets of regions, in the order in which they have been reached: that is mostly the order of
  // their addresses, and it tells early enough what to fetch into the cache.
  std::vector<std::uint64_t> to_visit_;
  std::size_t visited_ = 0;  // of these
  std::vector<std::uint64_t> foreign_;
  std::unordered_map<std::uint32_t, layout> layouts_;
  std::uint32_t last_type_ = 0;
  const layout* last_layout_ = nullptr;
};

}  // namespace far::objects
