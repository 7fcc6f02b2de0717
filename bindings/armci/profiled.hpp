#pragma once
// The second name of a function, for profilers that define the first (parmci.h).

#include "armci.h"

/// In the file that defines `name`.
#define FAR_ARMCI_PROFILED(name) extern "C" decltype(name) P##name __attribute__((alias(#name)))
