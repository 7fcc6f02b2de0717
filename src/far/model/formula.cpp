#include "far/model/formula.hpp"

#include <fmt/format.h>

namespace far::model {

std::string to_string(const formula& what) {
  std::string text;
  for (std::size_t i = 0; i < components; ++i) {
    const auto part = static_cast<component>(i);
    const int times = what.times(part);
    if (times == 0) continue;
    if (!text.empty()) text += " + ";
    if (times > 1) text += fmt::format("{} ", times);
    text += symbol_of(part);
  }
  return text.empty() ? "0" : text;
}

}  // namespace far::model
