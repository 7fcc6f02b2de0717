#pragma once
// The layer `model`: what operations cost.

#include "far/model/costs_file.hpp"
#include "far/model/distance.hpp"
#include "far/model/formula.hpp"
#include "far/model/known_costs.hpp"
#include "far/model/measure.hpp"
