#pragma once
// The language that libfar is written in. Most headers reach this one, so that a compiler in the
// mode of an older standard says one clear thing, and not what it stumbles over first.

#if __cplusplus < 202002L
#error "libfar needs C++20: compile with -std=c++20 or later"
#include "far/base/stop_here"  // there is no such file, so the compiler ends here
#endif
