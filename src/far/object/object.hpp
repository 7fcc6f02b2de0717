#pragma once
// The umbrella header of shared objects.

#include "far/object/collections.hpp"
#include "far/object/monitor.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_thread.hpp"
#include "far/object/object_view.hpp"
#include "far/object/options.hpp"
#include "far/object/reference.hpp"
#include "far/object/rooted.hpp"
#include "far/object/type.hpp"
#include "far/object/volatile_field.hpp"
