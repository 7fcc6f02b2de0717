#pragma once
// The umbrella header of the graph layer.

#include "far/graph/csr_graph.hpp"
#include "far/graph/degrees.hpp"
#include "far/graph/ghost_exchange.hpp"
#include "far/graph/make_graph.hpp"
#include "far/graph/vertex_engine.hpp"
#include "far/graph/vertex_program.hpp"
#include "far/graph/ways.hpp"
