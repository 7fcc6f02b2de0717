#pragma once
// A phase in which all ranks only change a hash_map, or only look up keys.

#include "far/containers/map/hash_map_view.hpp"
#include "far/containers/map/map_part.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

/// The view that hash_map::writing or hash_map::reading returns. While it lives, all ranks use the
/// map only through such views. It is made and destroyed collectively; the destructor does not wait
/// for other ranks while an exception unwinds the stack. Ranks and views of one phase may differ in
/// their policies. Futures of operations are awaited before the phase ends.
///
/// Threads: the rank's own thread; no other thread uses the map meanwhile.
/// Errors, in debug builds: the program is aborted if a rank uses the map in another way meanwhile;
///   bad_argument if ranks begin different phases.
/// Checked by: hash_map_phase_test.phases_follow_each_other, hash_map_phase_test.no_count_is_lost,
/// hash_map_phase_test.misuse_of_phases_is_caught
template <class K, class V, class Hash, containers::phase_kind P>
class hash_map_phase : public hash_map_view<K, V, Hash, P> {
  using base_view = hash_map_view<K, V, Hash, P>;

 public:
  ~hash_map_phase() {
    part_->phase.set(containers::phase_kind::mixed);
    scope_.leave(world_);
  }
  hash_map_phase(const hash_map_phase&) = delete;
  hash_map_phase& operator=(const hash_map_phase&) = delete;

 private:
  friend class hash_map<K, V, Hash>;

  hash_map_phase(const world& world, typename base_view::part_type& part, homes::object_id id,
                 policy how)
      : base_view(world, part, id, how), world_(world), part_(&part) {
    containers::begin_phase(world, P, "hash_map");
    part.phase.set(P);
  }

  world world_;
  typename base_view::part_type* part_;
  collective_scope scope_;
};

}  // namespace far
