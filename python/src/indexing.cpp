#include "indexing.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>

#include <far/far.hpp>
#include <fmt/format.h>

namespace far::python {

namespace nb = nanobind;

void throw_outside(std::uint64_t size, PyObject* key) {
  throw out_of_bounds(fmt::format("index {} of an array of {} elements",
                                  nb::cast<std::string>(nb::str(nb::handle(key))), size));
}

std::span<const std::int64_t> checked(std::uint64_t size, const index_list& given,
                                      std::vector<std::int64_t>& room) {
  const auto end = static_cast<std::int64_t>(size);
  // Without branches, so that one instruction looks at several.
  std::int64_t least = 0, most = -1;
  for (std::size_t k = 0; k < given.size(); ++k) {
    least = std::min(least, given.data()[k]);
    most = std::max(most, given.data()[k]);
  }
  if (most >= end || least < -end) {
    throw out_of_bounds(
        fmt::format("index {} of an array of {} elements", most >= end ? most : least, end));
  }
  if (least == 0) return {given.data(), given.size()};
  room.assign(given.data(), given.data() + given.size());
  for (std::int64_t& i : room) i += i < 0 ? end : 0;
  return room;
}

}  // namespace far::python
