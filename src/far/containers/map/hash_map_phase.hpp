#pragma once
// A phase in which all ranks change a hash_map, or all look for keys of it.

#include "far/containers/map/hash_map_view.hpp"
#include "far/containers/map/map_part.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// The view of hash_map::writing or reading: what it promises holds while it lives, on every rank.
/// Made and destroyed collectively; the end does not wait for others while an exception is on its
/// way.
///
/// Threads: the rank's own, and no other uses the map meanwhile.
/// Errors, in debug builds: the program is aborted where a rank uses the map otherwise meanwhile;
///   bad_argument where ranks begin different phases.
/// Checked by: hash_map_phase_test.phases_follow_each_other,
/// hash_map_phase_test.broken_promises_are_caught
template <class K, class V, class Hash, containers::promised P>
class hash_map_phase : public hash_map_view<K, V, Hash, P> {
  using base_view = hash_map_view<K, V, Hash, P>;

 public:
  ~hash_map_phase() {
    part_->phase.set(containers::promised::anything);
    scope_.leave(view_);
  }
  hash_map_phase(const hash_map_phase&) = delete;
  hash_map_phase& operator=(const hash_map_phase&) = delete;

 private:
  friend class hash_map<K, V, Hash>;

  hash_map_phase(const world& view, typename base_view::part_type& part, containers::object_id id,
                 policy how)
      : base_view(view, part, id, how), view_(view), part_(&part) {
    containers::begin_phase(view, P, "hash_map");
    part.phase.set(P);
  }

  world view_;
  typename base_view::part_type* part_;
  collective_scope scope_;
};

}  // namespace far
