#pragma once

#include <cstdint>

#include "far/base/language.hpp"

namespace far {

/// How a home sends what a rank fetches.
enum class fetch_replies : std::uint8_t {
  automatic,  ///< one-sided, or a message where that is cheaper: from the same machine, if small
  one_sided,  ///< written into the requester's buffer, up to 64 KB at once; by message if it has
              ///< none
  messages,   ///< up to 8 KB each
};

/// What becomes of the copies of an object when somebody has changed it.
enum class object_protocol : std::uint8_t {
  automatic,        ///< invalidate, or update where that has turned out to be better
  invalidate,       ///< they are forgotten, and fetched again when they are needed
  update,           ///< they are sent what has changed
  update_in_place,  ///< the home writes it over them one-sided, where it can; else as update
};

/// Whether copies are always updated.
[[nodiscard]] constexpr bool is_update(object_protocol protocol) noexcept {
  return protocol == object_protocol::update || protocol == object_protocol::update_in_place;
}

/// Options of an object_space; the same on all ranks.
struct object_space_options {
  /// Memory for the objects that each rank makes, used only once objects are in it. 0:
  /// FAR_OBJECT_HEAP, or a heap that grows: up to a quarter of the symmetric heap, and each time
  /// after a collection that has not freed half of it; 64 MB if there is no room for that much.
  std::uint64_t heap_bytes = 0;
  /// Memory for copies of other ranks' objects at each rank. 0: FAR_OBJECT_CACHE, or 64 MB.
  std::uint64_t cache_bytes = 0;
  /// Make copies and run the protocol although all ranks share the memory of one machine, for tests
  /// and benchmarks. Otherwise threads there work on the objects where they are.
  bool force_protocol = false;
  /// Collect what no thread can reach any more when a rank's memory for objects is full. Otherwise
  /// objects live until the program calls collect, and making one throws out_of_memory.
  bool collects = true;
  fetch_replies replies = fetch_replies::automatic;
  /// How objects are kept coherent, unless set_protocol says otherwise.
  object_protocol protocol = object_protocol::automatic;
  /// After so many changes by one rank, with no other that uses the region, the region migrates to
  /// that rank: its threads then write it without messages, until others need it. 0: never.
  std::uint32_t migrate_after = 3;
  /// Keep copies in memory that other ranks can write, so that set_protocol can choose
  /// update_in_place; if `protocol` is that, they are there anyway. It takes twice the heap's bytes
  /// of the local segment for each rank whose objects are copied; it is used where there are
  /// copies, and then not given back before the space ends. Heaps do not grow then.
  bool reachable_copies = false;
  /// Note which regions others may have changed, for part::take_changed: for bindings whose working
  /// memory is another one. Not with reachable_copies, nor with update_in_place.
  bool tracks_changes = false;
};

}  // namespace far
