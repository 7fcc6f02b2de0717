#include "far/sections/remote_side.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/rpc/serialize.hpp"

namespace far::sections {
namespace {

void check_own(const fabric::fabric& fabric, fabric::address place, std::uint64_t bytes) {
  if (place.rank() != fabric.rank()) {
    throw bad_argument(fmt::format("rank {} was asked for memory of rank {}: send to the owner",
                                   fabric.rank(), place.rank()));
  }
  fabric.check_bounds(place, bytes);
}

}  // namespace

remote_slice slicer::slice(std::uint64_t begin, std::uint64_t end) const {
  remote_slice result;
  result.there = what_->there();
  result.begin = begin;
  result.end = end;
  if (!what_->is_list()) {
    result.row_bytes = there_.row_bytes;
    result.dimensions.assign(there_.dimensions.begin(), there_.dimensions.begin() + there_.depth);
    return result;
  }
  what_->for_each_row(begin, end, [&](fabric::address there, std::byte*, std::uint64_t bytes) {
    result.runs.push_back({there, bytes});
  });
  return result;
}

own_slice::own_slice(const fabric::fabric& fabric, const remote_slice& arrived)
    : begin_(arrived.begin), end_(arrived.end) {
  if (begin_ >= end_) wire::throw_malformed("a section without bytes");
  if (!arrived.runs.empty()) {
    std::uint64_t bytes = 0;
    for (const run& r : arrived.runs) {
      check_own(fabric, r.there, r.bytes);
      runs_.push_back({fabric.local(r.there), r.bytes});
      bytes += r.bytes;
    }
    if (bytes != end_ - begin_) wire::throw_malformed("a list whose lengths do not add up");
    return;
  }
  form_.row_bytes = arrived.row_bytes;
  form_.depth = static_cast<std::uint32_t>(arrived.dimensions.size());
  if (form_.depth > max_section_dimensions) wire::throw_malformed("a section of 9 dimensions");
  std::copy(arrived.dimensions.begin(), arrived.dimensions.end(), form_.dimensions.begin());
  if (!is_sound(form_) || end_ > form_.bytes()) wire::throw_malformed("a section beyond its end");
  check_own(fabric, arrived.there, form_.span_there());
  memory_ = fabric.local(arrived.there);
}

}  // namespace far::sections
