#pragma once
// What a plug-in of the tests offers. Its symbols are hidden, but for these functions, so it has
// copies of its own of all inline and template code of libfar.

#include <cstdint>

#include "far/far.hpp"

extern "C" {

/// The address of the rank's heaps.
using plugin_heaps = const void*(far::world& w);
/// Allocates `n` words of this rank's local memory. Returns a pointer's bits.
using plugin_allocate = std::uint64_t(far::world& w, std::uint64_t n);
/// Collective: uses structures that register parts, phases and handlers. Returns the number of
/// wrong results.
using plugin_use = int(far::world& w);
/// Calls `thrower`, and tells which exception of libfar it caught.
using plugin_catch = const char*(void (*thrower)());
/// Throws a far::bad_argument.
using plugin_throw = void();
}
