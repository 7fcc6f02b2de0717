#include "test/litmus/document.hpp"

#include <fstream>
#include <sstream>
#include <vector>

namespace far::litmus {

std::map<std::string, std::string> rows_of_document(std::string_view subject) {
  std::ifstream file(std::string(FAR_SOURCE_DIR) + "/docs/memory_model.md");
  std::map<std::string, std::string> result;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) inside = line == "## Litmus tests";
    if (!inside || !line.starts_with("| ") || line.starts_with("| name")) continue;
    std::vector<std::string> columns;
    std::istringstream text(line.substr(2));
    for (std::string column; std::getline(text, column, '|');) {
      const auto end = column.find_last_not_of(' ');
      columns.push_back(column.substr(0, end + 1));
    }
    const std::string& name = columns.at(0);
    const auto colon = name.find(": ");
    const bool has_subject = colon != std::string::npos;
    if (subject != (has_subject ? name.substr(0, colon) : "")) continue;
    const auto first = columns.at(2).find_first_not_of(' ');
    result[has_subject ? name.substr(colon + 2) : name] = columns.at(2).substr(first);
  }
  return result;
}

}  // namespace far::litmus
