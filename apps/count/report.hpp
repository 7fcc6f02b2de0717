#pragma once

#include <string>

#include "apps/count/count.hpp"

namespace far::apps {

[[nodiscard]] std::string as_json(const count_result& result);
[[nodiscard]] std::string as_text(const count_result& result, item_kind items);

}  // namespace far::apps
