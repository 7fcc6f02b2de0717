#pragma once
// The room of containers.

#include "far/containers/checksum_queue.hpp"
#include "far/containers/hash_map.hpp"
#include "far/containers/queue.hpp"
#include "far/containers/queues.hpp"
