#pragma once
// Ends programs whose types of the standard library are not laid out as libfar's: -D_GLIBCXX_DEBUG
// makes others of them, and inline code of the headers shares some with libfar.

#include "far/base/language.hpp"

namespace far::base {

/// Returns true if libfar was compiled in the same mode; else prints a line, and ends the process
/// with status 1.
bool check_std_layout(bool with_debug_containers) noexcept;

// Each module checks itself before its main, or when it is loaded. The two modes have different
// names, because a program may consist of files of both.
#ifdef _GLIBCXX_DEBUG
inline const bool has_libfars_debug_containers = check_std_layout(true);
#else
inline const bool has_libfars_containers = check_std_layout(false);
#endif

}  // namespace far::base
