#pragma once
// The layer `array`: distributed arrays. This file has the class that owns one, and includes all
// operations on it.

#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "far/array/algorithms.hpp"
#include "far/array/array_view.hpp"
#include "far/memory/memory.hpp"
#include "far/team/barrier.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// n elements of T, spread over all ranks in blocks. array_view documents the layout and the
/// operations. Elements are zero bytes at first. They are stored at their owners and not cached.
///
/// The constructor, the destructor and move assignment are collective: every rank calls them, in
/// the same order. The constructor ends with a barrier. The others have a barrier before they free
/// the memory, except during the unwinding of an exception: then they do not wait.
/// Threads: an array belongs to the thread that made it; others use on(their view).
/// Cost: an allreduce, a barrier and O(log blocks) to make and to free; no message per element.
/// Errors: out_of_memory if a block does not fit into the symmetric heap; bad_argument if ranks
/// pass different sizes; rank_failed.
/// Checked by: array_test.elements_go_everywhere, array_test.moves_but_does_not_copy
/// Checked by: array_test.empty_arrays_work, array_test.one_that_does_not_fit_says_so
/// Checked by: array_limits_test.ranks_must_agree_on_the_size
template <remote_object T>
  requires(!std::is_const_v<T>)
class array : public array_view<T> {
 public:
  array(const world& world, std::uint64_t n) : array(world, detail::blocks(n, world.size())) {}
  array(array&& other) noexcept
      : array_view<T>(std::exchange(static_cast<array_view<T>&>(other), nothing(other.world()))),
        scope_(other.scope_) {}
  array& operator=(array&& other) noexcept {
    if (this != &other) {
      release();
      static_cast<array_view<T>&>(*this) =
          std::exchange(static_cast<array_view<T>&>(other), nothing(other.world()));
    }
    return *this;
  }
  ~array() { release(); }

 private:
  array(const world& world, detail::blocks blocks)
      : array_view<T>(world, memory_for(world, blocks), blocks) {
    // No rank may access a part before its owner has allocated it.
    barrier(world);
  }

  static ptr<T> memory_for(const world& world, const detail::blocks& blocks) {
    detail::agree_on_shape(world, detail::shape_of(blocks.size(), sizeof(T)),
                           [&] { return detail::array_in_words(blocks.size(), sizeof(T)); });
    return allocate<T>(world, blocks.size() == 0 ? 0 : blocks.block());
  }
  static array_view<T> nothing(const world& world) noexcept {
    return array_view<T>(world, ptr<T>(), detail::blocks());
  }

  void release() noexcept {
    if (!this->base()) return;
    const world& world = this->world();
    scope_.leave(world);  // others may still be reading
    try {
      deallocate(world, this->base());
    } catch (const std::exception&) {
      // The job has failed; its memory ends with it.
    }
  }

  collective_scope scope_;
};

}  // namespace far
