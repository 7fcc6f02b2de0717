#pragma once
// Text tables with aligned columns.

#include <cstddef>
#include <string>
#include <vector>

namespace far::apps {

enum class align : unsigned char { left, right };

class table {
 public:
  /// A column is as wide as its widest cell.
  void add_column(std::string header, align alignment = align::left);

  /// Adds one cell per column. Cells may hold any bytes; printable() escapes them.
  void add_row(std::vector<std::string> cells);

  /// Header, a rule, the rows; two spaces between columns, none at the end of a line.
  [[nodiscard]] std::string text() const;

 private:
  struct column {
    align alignment;
    std::size_t width;
  };

  void add_line(std::string& out, const std::vector<std::string>& cells) const;

  std::vector<column> columns_;
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace far::apps
