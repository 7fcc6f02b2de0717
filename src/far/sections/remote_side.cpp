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

slicer slicer::of_local_side(const fabric::fabric& fabric, const plan& what) {
  slicer result(what);
  result.local_ = &fabric;
  if (!what.is_list()) {
    result.place_ = fabric.address_of(what.here());
    result.form_ = side_here(what.form());
  }
  return result;
}

remote_slice slicer::slice(std::uint64_t begin, std::uint64_t end, std::size_t room) const {
  remote_slice result;
  result.there = place_;
  result.begin = begin;
  result.end = end;
  if (!what_->is_list()) {
    result.row_bytes = form_.row_bytes;
    result.dimensions.assign(form_.dimensions.begin(), form_.dimensions.begin() + form_.depth);
    return result;
  }
  result.end = begin;
  bool is_full = false;
  what_->for_each_row(
      begin, std::min(end, what_->end_of_segments(begin, room / run_list::min_bytes)),
      [&](fabric::address there, std::byte* here, std::uint64_t bytes) {
        is_full |= result.runs.bytes() + run_list::max_bytes > room;
        if (is_full) return;
        result.runs.add({local_ == nullptr ? there : local_->address_of(here), bytes});
        result.end += bytes;
      });
  return result;
}

namespace {

/// The shape of a slice that is not a list. Errors: fabric_error.
shape form_of(const remote_slice& arrived) {
  shape form;
  form.row_bytes = arrived.row_bytes;
  form.depth = static_cast<std::uint32_t>(arrived.dimensions.size());
  if (form.depth > max_section_dimensions) wire::throw_malformed("a section of 9 dimensions");
  std::copy(arrived.dimensions.begin(), arrived.dimensions.end(), form.dimensions.begin());
  if (!is_sound(form) || arrived.end > form.bytes()) {
    wire::throw_malformed("a section beyond its end");
  }
  return form;
}

/// The runs of a list, none of a section. Errors: fabric_error.
std::vector<list_run> listed_runs(const remote_slice& arrived) {
  if (arrived.begin >= arrived.end) wire::throw_malformed("a section without bytes");
  std::vector<list_run> result = arrived.runs.all();
  std::uint64_t bytes = 0;
  for (const list_run& r : result) bytes += r.bytes;
  if (!result.empty() && bytes != arrived.bytes()) {
    wire::throw_malformed("a list whose lengths do not add up");
  }
  return result;
}

}  // namespace

std::vector<list_run> runs_of(const remote_slice& arrived, std::size_t most) {
  std::vector<list_run> result = listed_runs(arrived);
  if (result.empty()) {
    sections::for_each_block(
        form_of(arrived), arrived.begin, arrived.end,
        [&](std::uint64_t there, std::uint64_t, std::uint64_t stride, std::uint64_t,
            std::uint64_t rows, std::uint64_t row_bytes) {
          if (result.size() + rows > most) wire::throw_malformed("too many segments");
          for (std::uint64_t i = 0; i < rows; ++i) {
            result.push_back(
                {arrived.there + static_cast<std::int64_t>(there + i * stride), row_bytes});
          }
        });
  }
  if (result.size() > most) wire::throw_malformed("too many segments");
  return result;
}

own_slice::own_slice(const fabric::fabric& fabric, const remote_slice& arrived)
    : begin_(arrived.begin), end_(arrived.end) {
  for (const list_run& r : listed_runs(arrived)) {
    check_own(fabric, r.there, r.bytes);
    runs_.push_back({fabric.local(r.there), r.bytes});
  }
  if (!runs_.empty()) return;
  form_ = form_of(arrived);
  check_own(fabric, arrived.there, form_.span_there());
  memory_ = fabric.local(arrived.there);
}

}  // namespace far::sections
