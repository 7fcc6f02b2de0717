#pragma once
// Checks the language version. Most headers include this one, so that a compiler in the mode of an
// older standard gives one clear error instead of the first of many obscure ones.

#if __cplusplus < 202002L
#error "libfar needs C++20: compile with -std=c++20 or later"
#include "far/base/stop_here"  // this file does not exist, so the compiler stops here
#endif
