#pragma once
// Umbrella header of the team layer: groups of ranks and their collectives.

#include "far/team/alltoall.hpp"
#include "far/team/barrier.hpp"
#include "far/team/broadcast.hpp"
#include "far/team/collective_scope.hpp"
#include "far/team/elements.hpp"
#include "far/team/gather.hpp"
#include "far/team/members.hpp"
#include "far/team/reduce.hpp"
#include "far/team/scan.hpp"
#include "far/team/settle.hpp"
