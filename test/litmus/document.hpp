#pragma once
// The table of litmus tests at the end of docs/memory_model.md.

#include <map>
#include <string>
#include <string_view>

namespace far::litmus {

/// The verdicts of the rows whose names begin with "SUBJECT: ", or if `subject` is empty, of the
/// rows without a subject. By the rest of the name.
[[nodiscard]] std::map<std::string, std::string> rows_of_document(std::string_view subject);

}  // namespace far::litmus
