#include "far/object/copy/reply_area.hpp"

#include <utility>

#include "far/base/error.hpp"
#include "far/memory/allocate.hpp"

namespace far::objects {

bool reply_area::claim(const world& view) {
  if (data_ != nullptr) return true;
  if (refused_) return false;
  try {
    memory_ = allocate_local<std::byte>(view, bytes);
  } catch (const out_of_memory&) {
    refused_ = true;
    return false;
  }
  data_ = view.fabric().local(memory_.address());
  return true;
}

void reply_area::release(const world& view) {
  if (std::exchange(data_, nullptr) != nullptr) deallocate_local(view, memory_);
}

}  // namespace far::objects
