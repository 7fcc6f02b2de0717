#pragma once

#include <string>

#include "apps/lu/lu.hpp"

namespace far::apps::lu {

[[nodiscard]] std::string as_json(const result& found);
[[nodiscard]] std::string as_text(const result& found);

}  // namespace far::apps::lu
