#pragma once
// Program output other than tables.

#include <string>
#include <string_view>

namespace far::apps {

/// A line `what  value`, with the values of all lines in one column.
[[nodiscard]] std::string summary_line(std::string_view what, std::string_view value);

/// A duration in a suitable unit: 12.5 us, 3.20 ms, 7.01 s.
[[nodiscard]] std::string duration_text(double seconds);

/// Writes a result to standard output. Errors: far::error if the write fails, such as on a full
/// disk.
void print_result(std::string_view text);

}  // namespace far::apps
