#pragma once
// What large and many transfers between two ranks cost, beyond the first: the figures from which
// the protocol of a section is chosen (far/sections/protocol.hpp).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace far::model {

/// Each is the time by which one more of its kind makes a large transfer longer.
enum class bulk_cost : std::uint8_t {
  put_byte,         ///< a byte of a put that is so long that the rest does not count
  get_byte,         ///< the same of a get
  next_put,         ///< one more small put, while others are in flight
  next_get,         ///< one more small get
  listed_put_byte,  ///< a byte of many puts of up to 1 KB, beyond next_put
  listed_get_byte,  ///< the same of gets
  next_message,     ///< one more message with its reply
  copied_byte,  ///< a byte that a processor copies between a buffer and the memory of the program
  copied_row,   ///< a row that it copies
};
inline constexpr std::size_t bulk_cost_kinds = 9;

/// The name in files: "next_put".
[[nodiscard]] constexpr std::string_view name_of(bulk_cost what) noexcept {
  constexpr std::array<std::string_view, bulk_cost_kinds> names{
      "put_byte",        "get_byte",     "next_put",    "next_get",  "listed_put_byte",
      "listed_get_byte", "next_message", "copied_byte", "copied_row"};
  return names[static_cast<std::size_t>(what)];
}

/// What it is, in a few words.
[[nodiscard]] constexpr std::string_view meaning_of(bulk_cost what) noexcept {
  constexpr std::array<std::string_view, bulk_cost_kinds> meanings{
      "a byte more of a large put",
      "a byte more of a large get",
      "a put more, while others are under way",
      "a get more, while others are under way",
      "a byte more of many small puts",
      "a byte more of many small gets",
      "a message more, while others are under way",
      "a byte more of a copy by a processor",
      "a row more of such a copy"};
  return meanings[static_cast<std::size_t>(what)];
}

/// In nanoseconds.
struct bulk_costs {
  std::array<double, bulk_cost_kinds> ns{};

  [[nodiscard]] constexpr double of(bulk_cost what) const noexcept {
    return ns[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] constexpr double& of(bulk_cost what) noexcept {
    return ns[static_cast<std::size_t>(what)];
  }
  friend constexpr bool operator==(const bulk_costs&, const bulk_costs&) = default;
};

}  // namespace far::model
