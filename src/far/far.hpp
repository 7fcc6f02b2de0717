#pragma once
// All of libfar.

#include "far/array/array.hpp"
#include "far/array/cached_array.hpp"
#include "far/array/nd_array.hpp"
#include "far/base/error.hpp"
#include "far/base/version.hpp"
#include "far/containers/containers.hpp"
#include "far/memory/memory.hpp"
#include "far/model/model.hpp"
#include "far/rma/rma.hpp"
#include "far/rpc/rpc.hpp"
#include "far/sections/sections.hpp"
#include "far/sync/sync.hpp"
#include "far/team/team.hpp"
#include "far/world/job.hpp"
#include "far/world/run.hpp"
#include "far/world/world.hpp"
