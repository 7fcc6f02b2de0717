#pragma once
// The layer `sections`: put, get and accumulate of N-dimensional sections and lists of segments.

#include "far/sections/accumulate.hpp"
#include "far/sections/read_modify_write.hpp"
#include "far/sections/registration.hpp"
#include "far/sections/release.hpp"
#include "far/sections/strided.hpp"
#include "far/sections/transfer.hpp"
#include "far/sections/transfer_group.hpp"
