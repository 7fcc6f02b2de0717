#pragma once
// Distributed N-dimensional arrays. docs/nd_array.md explains them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "far/array/nd/block_grid.hpp"
#include "far/array/nd/ghosts.hpp"
#include "far/array/nd/nd_algorithms.hpp"
#include "far/array/nd/nd_array_view.hpp"
#include "far/memory/memory.hpp"
#include "far/team/barrier.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// An N-dimensional array of T, spread over all ranks in blocks, one for each rank:
/// nd_array_options says how; nd_array_view documents the layout and the operations. Elements are
/// zero bytes at first. They are stored at their owners and not cached.
///
/// The constructor, the destructor and move assignment are collective: every rank calls them, in
/// the same order, with the same arguments. The constructor ends with a barrier. The others have a
/// barrier before they free the memory, except during the unwinding of an exception.
/// Threads: an array belongs to the thread that made it; others use on(their view).
/// Cost: a barrier to make and to free. Each rank has memory for the largest block, with its
/// ghosts. Errors: out_of_memory if a block does not fit into the symmetric heap; bad_argument for
/// options that do not fit the extents; rank_failed. Checked by: nd_array_test.random_sections,
/// nd_array_test.moves, nd_array_test.bad_options
template <remote_object T, std::size_t N>
  requires(!std::is_const_v<T>)
class nd_array : public nd_array_view<T, N> {
  using base_type = nd_array_view<T, N>;

 public:
  nd_array(const world& world, const std::array<std::uint64_t, N>& extents,
           nd_array_options<N> how = {})
      : nd_array(std::make_shared<detail::block_grid<N>>(extents, world.size(), std::move(how)),
                 world) {}
  nd_array(nd_array&& other) noexcept
      : base_type(std::exchange(static_cast<base_type&>(other), nothing(other))),
        scope_(other.scope_) {}
  nd_array& operator=(nd_array&& other) noexcept {
    if (this != &other) {
      release();
      static_cast<base_type&>(*this) =
          std::exchange(static_cast<base_type&>(other), nothing(other));
    }
    return *this;
  }
  ~nd_array() { release(); }

 private:
  nd_array(std::shared_ptr<const detail::block_grid<N>> grid, const world& world)
      : base_type(world, memory_for(world, *grid), grid) {
    // No rank may access a block before its owner has allocated it.
    barrier(world);
  }

  static ptr<T> memory_for(const world& world, const detail::block_grid<N>& grid) {
    (void)detail::bytes_of_extents(grid.extents(), sizeof(T));
    detail::agree_on_shape(world, grid.fingerprint(sizeof(T)), [&] {
      return "an nd_array of " + detail::in_words(grid.extents()) + " elements";
    });
    return allocate<T>(world,
                       detail::bytes_of_extents(grid.max_stored_extents(), sizeof(T)) / sizeof(T));
  }
  static base_type nothing(const nd_array& like) noexcept {
    static const auto no_elements = std::make_shared<const detail::block_grid<N>>();
    return base_type(like.world(), ptr<T>(), no_elements);
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

/// Rows and columns; blocks in both dimensions.
template <remote_object T>
using matrix = nd_array<T, 2>;

}  // namespace far
