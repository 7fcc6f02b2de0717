#pragma once

#include <typeinfo>

#include "far/base/language.hpp"

namespace far::base {

/// Whether both are descriptions of one type. Code that was compiled with -fvisibility=hidden has
/// its own copy of each description, and of each static of a template, so an address identifies
/// nothing; the names agree. Types of unnamed namespaces may have equal names in two source files,
/// but they have one description each.
/// Checked by: hidden_plugin_test.shares_what_its_program_keeps
[[nodiscard]] bool same_name(const std::type_info& a, const std::type_info& b) noexcept;
[[nodiscard]] inline bool same_type(const std::type_info& a, const std::type_info& b) noexcept {
  return &a == &b || same_name(a, b);
}

}  // namespace far::base
