#pragma once

#include "far/sync/condition_variable.hpp"
#include "far/sync/mcs_lock.hpp"
#include "far/sync/rw_lock.hpp"
#include "far/sync/topology_lock.hpp"
