#include "far/object/copy/reply_area.hpp"

#include <utility>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"

namespace far::objects {

bool reply_area::claim(const world& world) {
  if (data_ != nullptr) return true;
  if (refused_) return false;
  try {
    memory_ = allocate_local<std::byte>(world, bytes);
  } catch (const out_of_memory&) {
    refused_ = true;
    return false;
  }
  data_ = world.fabric().local(memory_.address());
  return true;
}

void reply_area::release(const world& world) {
  if (std::exchange(data_, nullptr) != nullptr) deallocate_local(world, memory_);
}

}  // namespace far::objects
