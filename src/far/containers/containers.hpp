#pragma once
// The umbrella header of the containers layer.

#include "far/containers/map/hash_map.hpp"
#include "far/containers/queue/checksum_queue.hpp"
#include "far/containers/queue/queue.hpp"
#include "far/containers/queue/queues.hpp"
