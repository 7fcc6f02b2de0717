#pragma once
// A space of objects that all ranks of a job share.

#include <functional>

#include "far/object/object_view.hpp"
#include "far/object/options.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// Objects that refer to each other across ranks: lists, trees, meshes. Each rank makes objects in
/// its own memory, so the space is as large as the memory of all. A reference is one word and means
/// the same everywhere. Where ranks do not share the memory of one machine, a rank works on copies
/// of other ranks' objects, which it fetches when a thread first needs them.
///
///     struct node { std::uint64_t key; far::ref<node> next; };
///     template <> struct far::object_type<node>
///         : far::object_fields<node, &node::key, &node::next> {};
///
///     far::object_space space(world);
///     const far::ref<node> head = space.make<node>(1u);
///     space.set_root("list", head);
///     ...
///     const auto lock = space.lock(head);  // its monitor
///     space.write(head).next = space.make<node>(2u);
///
/// The constructor and the destructor are collective: every rank calls them, in the same order,
/// while no other thread of the rank communicates. The constructor ends with a barrier. While the
/// space lives, the rank has a service thread. Objects are never moved. They live until a
/// collection finds that nothing keeps them (far::rooted, docs/objects.md).
///
/// Threads: the space is the view of the thread that made it; others use on(their view).
/// Cost: two bits for each 16 bytes of all ranks' memory, per thread, of which only touched pages
///   take memory; about 200 bytes per copy, and 100 at the home of a region that others copy.
/// Errors: out_of_memory; bad_argument for options that do not fit; rank_failed.
/// Source: R. Veldema, M. Philippsen, Evaluation of RDMA opportunities in an object-oriented DSM,
///   2008.
/// Checked by: object_space_test.every_rank_sees_every_object
class object_space : public object_view {
 public:
  explicit object_space(const far::world& world, const object_space_options& options = {});
  ~object_space();

  /// The view of another thread of this rank. Destroying it publishes.
  /// Checked by: object_space_test.threads_share_a_rank
  [[nodiscard]] object_view on(const far::world& world) const {
    return object_view(world, shared_part());
  }

  /// Collective: runs `main` on rank 0, and n threads on each rank, rank 0's first included, that
  /// run what start_thread starts there. A started thread waits while all n are busy, so threads
  /// that wait for each other need as many. Returns when main has returned; what it throws is
  /// thrown on rank 0.
  /// Errors: bad_argument if n exceeds the job's contexts.
  /// Checked by: object_thread_test.threads_start_everywhere
  void run(int n, const std::function<void(object_view&)>& main);

  /// Collective: publishes, waits for all ranks, and refreshes.
  void barrier();

 private:
  collective_scope scope_;
};

}  // namespace far
