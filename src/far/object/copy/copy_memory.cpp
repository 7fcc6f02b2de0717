#include "far/object/copy/copy_memory.hpp"

#include <utility>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"

namespace far::objects {

copy_memory::copy_memory(std::uint64_t bytes, rank_state* reachable) : bytes_(bytes) {
  if (reachable != nullptr) {
    try {
      shared_ = allocate_local<std::byte>(*reachable, 2 * bytes);
      start_ = reachable->fabric().local(shared_.address());
      return;
    } catch (const out_of_memory&) {
      // Then copies are updated by messages.
    }
  }
  own_ = reserved_memory(bytes);
  start_ = own_.start();
}

void copy_memory::give_back(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  if (own_.start() != nullptr) own_.give_back(offset, bytes);
}

void copy_memory::release(rank_state& rank) { deallocate_local(rank, std::exchange(shared_, {})); }

}  // namespace far::objects
