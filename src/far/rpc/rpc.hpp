#pragma once
// The umbrella header of remote procedure calls.

#include "far/rpc/aggregator.hpp"
#include "far/rpc/call.hpp"
#include "far/rpc/progress.hpp"
#include "far/rpc/query_aggregator.hpp"
#include "far/rpc/serialize.hpp"
