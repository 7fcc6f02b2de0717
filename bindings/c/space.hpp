#pragma once
// The object spaces of the C interface. Each thread has a view of its own, in its lane; the space
// itself has none, for one that no thread uses would stop no collection.

#include <cstddef>
#include <memory>

#include <far/far.hpp>
#include <far/object/part.hpp>
#include <far/object/thread_access.hpp>

#include "bindings/c/session.hpp"
#include "bindings/c/status.hpp"
#include "far/c/objects.h"

struct far_space : far::c::structure {
  /// Collective.
  far_space(far::c::session& session, const far::world& all,
            const far::object_space_options& options)
      : in(session),
        world(all),
        part(far::objects::make_part(all, options)),
        number(session.number_space()) {}
  /// Collective, but for what has outlived its job.
  ~far_space() override {
    if (world.state().ended()) return;
    in.for_each_lane([this](far::c::lane& each) { each.close_view(number); });
    far::objects::release_part(world, *part, scope);
    in.forget_space(number);
  }

  far::c::session& in;
  far::world world;
  std::shared_ptr<far::objects::part> part;
  std::size_t number;  ///< of the session's
  far::collective_scope scope;
};

namespace far::c {

/// The calling thread's view. Errors: no_job; bad_argument for null.
[[nodiscard]] inline objects::thread_access& space_here(const far_space* space) {
  check_not_null(space, "far_space: the space");
  return lane_here().view_of(space->number, space->part);
}

/// Types are descriptors that belong to their space's part.
[[nodiscard]] inline const objects::type_descriptor& descriptor_of(const far_type* type) {
  check_not_null(type, "far_type: the type");
  return *reinterpret_cast<const objects::type_descriptor*>(type);
}
[[nodiscard]] inline const far_type* handle_of(const objects::type_descriptor& type) noexcept {
  return reinterpret_cast<const far_type*>(&type);
}

}  // namespace far::c
