#include "shmem/context.hpp"

#include <far/base/error.hpp>
#include <far/rma/flush.hpp>
#include <fmt/format.h>

#include "far_shmem/teams.h"
#include "shmem/function.hpp"
#include "shmem/runtime.hpp"

namespace far::shmem {
namespace {

/// Errors: bad_argument for what is no context of the program.
far_shmem_ctx& created(shmem_ctx_t context) {
  if (context == SHMEM_CTX_INVALID) throw bad_argument("the context is SHMEM_CTX_INVALID");
  runtime& self = runtime::get();
  const std::scoped_lock lock(self.mutex);
  if (!self.contexts.contains(context)) {
    throw bad_argument("the context is none that shmem_ctx_create has made, or it was destroyed");
  }
  return *context;
}

int create(far_shmem_team& team, shmem_team_t handle, long options, shmem_ctx_t* result) {
  runtime& self = runtime::get();
  auto made = std::make_unique<far_shmem_ctx>();
  made->team = &team;
  made->handle = handle;
  made->pes = team.pes.empty() ? nullptr : team.pes.data();
  made->size = team.size;
  made->options = options;
  made->lane = &self.take_lane();
  const std::scoped_lock lock(self.mutex);
  *result = made.get();
  self.contexts.emplace(made.get(), std::move(made));
  return 0;
}

void destroy(far_shmem_ctx& context) {
  runtime& self = runtime::get();
  flush(lane_use(*context.lane, self.is_threaded())->world());
  self.give_back(*context.lane);
  const std::scoped_lock lock(self.mutex);
  self.contexts.erase(&context);
}

}  // namespace

lane_use lane_here() {
  runtime& self = runtime::get();
  return {self.own_lane(), self.is_threaded()};
}

lane_use lane_of(shmem_ctx_t context) {
  if (context == SHMEM_CTX_DEFAULT) return lane_here();
  return {*created(context).lane, runtime::get().is_threaded()};
}

int checked_pe(shmem_ctx_t context, int pe) {
  if (context == SHMEM_CTX_DEFAULT) return pe;  // which address_of checks
  return checked_world_pe(*created(context).team, pe);
}

void complete(shmem_ctx_t context) {
  const lane_use use = lane_of(context);
  if (context == SHMEM_CTX_DEFAULT && runtime::get().is_threaded()) {
    quiet(use->world());
  } else {
    flush(use->world());
  }
}

void complete(shmem_ctx_t context, int pe) {
  if (context == SHMEM_CTX_DEFAULT && runtime::get().is_threaded()) return complete(context);
  flush(lane_of(context)->world(), pe);
}

void destroy_contexts(const far_shmem_team* of) {
  runtime& self = runtime::get();
  std::vector<far_shmem_ctx*> ending;
  {
    const std::scoped_lock lock(self.mutex);
    for (const auto& [key, context] : self.contexts) {
      if (of == nullptr || context->team == of) ending.push_back(context.get());
    }
  }
  for (far_shmem_ctx* const each : ending) destroy(*each);
}

}  // namespace far::shmem

using namespace far::shmem;

FAR_SHMEM_FUNCTION(int, ctx_create, (long options, shmem_ctx_t* ctx)) {
  return guarded("shmem_ctx_create",
                 [&] { return create(runtime::get().team_world, SHMEM_TEAM_WORLD, options, ctx); });
}

FAR_SHMEM_FUNCTION(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t* ctx)) {
  return guarded("shmem_team_create_ctx", [&] {
    if (team == SHMEM_TEAM_INVALID) {
      *ctx = SHMEM_CTX_INVALID;
      return -1;
    }
    return create(team_of(team), team, options, ctx);
  });
}

FAR_SHMEM_FUNCTION(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t* team)) {
  return guarded("shmem_ctx_get_team", [&] {
    if (ctx == SHMEM_CTX_INVALID) {
      *team = SHMEM_TEAM_INVALID;
      return -1;
    }
    *team = ctx == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : created(ctx).handle;
    return 0;
  });
}

FAR_SHMEM_FUNCTION(void, ctx_destroy, (shmem_ctx_t ctx)) {
  guarded("shmem_ctx_destroy", [&] {
    if (ctx == SHMEM_CTX_INVALID) return;
    if (ctx == SHMEM_CTX_DEFAULT) {
      throw far::bad_argument("SHMEM_CTX_DEFAULT cannot be destroyed");
    }
    destroy(created(ctx));
  });
}

// Hints only: operations are not held back, because on one machine there is nothing to gain, and
// between machines UCX gathers what fits.
FAR_SHMEM_FUNCTION(void, ctx_session_start,
                   (shmem_ctx_t ctx, long /*options*/, const shmem_ctx_session_config_t* /*config*/,
                    long /*config_mask*/)) {
  guarded("shmem_ctx_session_start", [&] {
    (void)runtime::get();
    if (ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT) (void)created(ctx);
  });
}

FAR_SHMEM_FUNCTION(void, ctx_session_stop, (shmem_ctx_t ctx)) {
  guarded("shmem_ctx_session_stop", [&] {
    (void)runtime::get();
    if (ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT) (void)created(ctx);
  });
}
