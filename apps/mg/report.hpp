#pragma once

#include <string>

#include "apps/mg/mg.hpp"

namespace far::apps::mg {

[[nodiscard]] std::string as_json(const result& found);
[[nodiscard]] std::string as_text(const result& found);

}  // namespace far::apps::mg
