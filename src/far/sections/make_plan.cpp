#include "far/sections/make_plan.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::sections {

plan plan_of(const description& form, fabric::address there, const void* here) {
  const shape both = shape_of(form);
  if (both.bytes() != 0 && here == nullptr) {
    throw bad_argument(
        fmt::format("{} of a section of {} bytes: the local side is null: give it memory",
                    form.what, both.bytes()));
  }
  // Puts and accumulates do not write through it.
  return {there, static_cast<std::byte*>(const_cast<void*>(here)), both};
}

}  // namespace far::sections
