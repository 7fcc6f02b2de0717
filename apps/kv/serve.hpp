#pragma once

#include "apps/kv/options.hpp"
#include "far/world/world.hpp"

namespace far::apps::kv {

/// Collective: makes a store, and serves clients until a signal or a command stops the server.
/// Errors: far::error if it cannot listen, one line; rank_failed.
void serve(const world& world, const command& asked);

}  // namespace far::apps::kv
