#pragma once
// The layer `memory`: global pointers, and the heaps that they point into.

#include "far/memory/allocate.hpp"
#include "far/memory/ptr.hpp"
