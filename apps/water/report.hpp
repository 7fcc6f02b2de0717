#pragma once

#include <string>

#include "apps/water/water.hpp"

namespace far::apps::water {

[[nodiscard]] std::string as_json(const result& found);
[[nodiscard]] std::string as_text(const result& found);

}  // namespace far::apps::water
