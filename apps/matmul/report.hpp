#pragma once

#include <string>

#include "apps/matmul/matmul.hpp"

namespace far::apps::matmul {

[[nodiscard]] std::string as_json(const result& found);
[[nodiscard]] std::string as_text(const result& found);

}  // namespace far::apps::matmul
