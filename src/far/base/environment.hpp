#pragma once
// Settings from the environment. Each variable is documented in docs/environment.md.

#include <cstdint>
#include <string_view>
#include <vector>

#include "far/base/language.hpp"

namespace far::base {

/// Reads "64", "64K", "64M", "64G", "64T" (powers of 1024, case ignored, an optional B or iB).
/// Errors: bad_argument naming `what`.
std::uint64_t parse_size(std::string_view text, std::string_view what);

/// The variable as a size, or `fallback` when unset or empty. Errors: bad_argument.
std::uint64_t environment_size(const char* variable, std::uint64_t fallback);

/// The variable as a whole number without a unit, or `fallback` when unset or empty.
/// Errors: bad_argument.
std::uint64_t environment_number(const char* variable, std::uint64_t fallback);

/// The variable as seconds, or `fallback` when unset or empty. 0 stands for no limit.
/// Errors: bad_argument if it is not a number, or more than 1'000'000.
std::uint64_t environment_seconds(const char* variable, std::uint64_t fallback);

/// Reads "4x8x16": 4 elements of 8 elements of 16 ranks. `ranks`: the required product; 0: any.
/// Errors: bad_argument naming `what`.
std::vector<int> parse_levels(std::string_view text, std::string_view what, int ranks);

/// Parses every variable that is not just text or a path, whether this job needs it or not. So a
/// malformed value is reported at the start of every job, and not only by jobs that use it.
/// Errors: bad_argument.
void check_environment();

/// The variable's text, or an empty view.
std::string_view environment_text(const char* variable) noexcept;

}  // namespace far::base
