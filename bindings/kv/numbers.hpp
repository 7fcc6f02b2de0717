#pragma once
// Numbers in commands, read as memcached reads them: by the rules of strtol, up to a blank. So
// blanks other than spaces may come first, a sign may, and too large a number of 32 bits wraps.

#include <cstdint>
#include <string_view>

namespace far::kv {

/// Each sets `number`, to 0 if the token holds no number that fits, and says whether it does. What
/// has 32 bits must fit into 64, and is cut.
bool read_number(std::string_view token, std::uint64_t& number);
bool read_number(std::string_view token, std::uint32_t& number);
bool read_number(std::string_view token, std::int32_t& number);
bool read_number(std::string_view token, double& number);

}  // namespace far::kv
