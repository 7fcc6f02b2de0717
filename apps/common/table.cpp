#include "apps/common/table.hpp"

#include <algorithm>
#include <utility>

#include "apps/common/printable.hpp"

namespace far::apps {

void table::add_column(std::string header, align alignment) {
  columns_.push_back({alignment, display_width(header)});
  headers_.push_back(std::move(header));
}

void table::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = printable(cells[i]);
    columns_[i].width = std::max(columns_[i].width, display_width(cells[i]));
  }
  rows_.push_back(std::move(cells));
}

std::string table::text() const {
  std::string out;
  add_line(out, headers_);
  std::vector<std::string> rule;
  for (const column& c : columns_) rule.emplace_back(c.width, '-');
  add_line(out, rule);
  for (const auto& row : rows_) add_line(out, row);
  return out;
}

void table::add_line(std::string& out, const std::vector<std::string>& cells) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(columns_[i].width - display_width(cells[i]), ' ');
    if (columns_[i].alignment == align::right) {
      out += blanks + cells[i];
    } else {
      out += cells[i] + blanks;
    }
    out += "  ";
  }
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

}  // namespace far::apps
