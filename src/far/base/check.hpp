#pragma once
// Assertions. FAR_CHECK is active in release builds too, so its condition must be cheap.
// FAR_DCHECK is active in debug builds only (FAR_DEBUG_CHECKS), and its condition may be slow.

#include "far/base/language.hpp"

namespace far::base {

/// Prints "file:line: what" on standard error and aborts.
[[noreturn]] void check_failed(const char* file, int line, const char* what) noexcept;

#ifdef FAR_DEBUG_CHECKS
inline constexpr bool debug_checks = true;
#else
inline constexpr bool debug_checks = false;
#endif

}  // namespace far::base

#define FAR_CHECK(condition, what) \
  (static_cast<bool>(condition) ? void(0) : ::far::base::check_failed(__FILE__, __LINE__, what))

#define FAR_DCHECK(condition, what)                           \
  (!::far::base::debug_checks || static_cast<bool>(condition) \
       ? void(0)                                              \
       : ::far::base::check_failed(__FILE__, __LINE__, what))
