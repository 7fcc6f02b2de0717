#pragma once
// Names of types for messages to users.

#include <string>
#include <string_view>

namespace far::base {

/// The name as it stands in the program, of what std::type_info::name returns; any other text as it
/// is. Inside the library, types are told apart by the latter.
[[nodiscard]] std::string readable_type(std::string_view name);

}  // namespace far::base
