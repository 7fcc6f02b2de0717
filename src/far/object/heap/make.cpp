// Making objects, in memory that has never been used, or that collections have freed.

#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {

/// Calls take(), which gets memory, under the mutex; if it returns false, again after a collection;
/// then again with a heap that has grown. Errors: out_of_memory.
void thread_access::take_memory(std::uint64_t blocks, base::function_ref<bool()> take) {
  safe_point();
  std::string why;
  for (bool may_collect = part_->collects;; may_collect = false) {
    {
      const std::scoped_lock lock(part_->mutex);
      if (take()) return;
      if (!may_collect) {
        part_->heap.grow(blocks);
        if (take()) return;
        part_->heap.throw_full(blocks, why);
      }
    }
    const int late = try_collect();
    if (late >= 0) why = ", " + text_of_late(late);
  }
}

place thread_access::make(const type_descriptor& type, std::uint64_t count, bool is_array,
                          const std::byte* values) {
  if (me_->last_made != &type) {
    part_->learn(type);
    me_->last_made = &type;
  }
  object_heap& heap = part_->heap;
  reach& own = me_->reaches[static_cast<std::size_t>(part_->rank)];
  std::uint64_t offset = 0;
  std::uint64_t pieces = 1;
  if (is_array && count > per_piece(type.size())) {
    if (count > heap.bytes() / type.size()) {
      throw out_of_memory(fmt::format(
          "object_space::make_array: {} elements of {} bytes do not fit in a heap of {} MB: raise "
          "object_space_options::heap_bytes or FAR_OBJECT_HEAP",
          count, type.size(), heap.bytes() >> 20));
    }
    pieces = (count + per_piece(type.size()) - 1) / per_piece(type.size());
    std::optional<object_heap::block_run> run;
    take_memory(pieces, [&] { return (run = heap.take_blocks(pieces)).has_value(); });
    heap.clear(*run, pieces);
    offset = heap.make_large(run->offset, type, count);
  } else {
    offset = heap.make_small(me_->free.range, type, count);
    if (offset == 0) [[unlikely]] {
      find_room(room_of_region(count * type.size()), values);
      offset = heap.make_small(me_->free.range, type, count);
    }
  }
  if (own.writable != nullptr) {
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
      set_bit(own.writable, offset + piece * block_bytes);
      // With debug checks, the first read looks at the type.
      if (own.readable != nullptr && !base::debug_checks) {
        set_bit(own.readable, offset + piece * block_bytes);
      }
    }
    me_->writes_own = true;
  }
  return {part_->space(), part_->rank, offset};
}

/// Gets free memory for a small region. Errors: out_of_memory.
void thread_access::find_room(std::uint64_t room, const std::byte* values) {
  struct making {
    const std::byte*& of;
    ~making() { of = nullptr; }
  } const until_return{me_->making};
  me_->making = values;
  take_memory(1, [&] {
    return part_->heap.next_gap(me_->free, room) || part_->heap.find_room(me_->free, room);
  });
}

}  // namespace far::objects
