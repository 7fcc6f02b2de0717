#pragma once
// What programs print beside tables.

#include <string>
#include <string_view>

namespace far::apps {

/// A line `what  value`; the values of several lines stand below one another.
[[nodiscard]] std::string summary_line(std::string_view what, std::string_view value);

/// A duration in the unit that fits it: 12.5 us, 3.20 ms, 7.01 s.
[[nodiscard]] std::string duration_text(double seconds);

/// Writes a result to standard output. Errors: far::error where it does not arrive, as on a full
/// disk.
void print_result(std::string_view text);

}  // namespace far::apps
