// Making object spaces, and describing types.

#include "bindings/c/space.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <far/object/known_types.hpp>
#include <fmt/format.h>

namespace far::c {
namespace {

static_assert(sizeof(far_cell) == sizeof(objects::cell) &&
              offsetof(far_cell, width) == offsetof(objects::cell, width) &&
              offsetof(far_cell, is_reference) == offsetof(objects::cell, is_reference));

object_protocol protocol_of(int number) {
  switch (number) {
    case 0:
      return object_protocol::automatic;
    case 1:
      return object_protocol::invalidate;
    case 2:
      return object_protocol::update;
    default:
      throw bad_argument(fmt::format(
          "far_space_create: there is no protocol {}: 0 is automatic, 1 invalidate, 2 update",
          number));
  }
}

object_space_options options_of(const far_space_options* given) {
  object_space_options options;
  if (given == nullptr) return options;
  options.heap_bytes = given->heap_bytes;
  options.cache_bytes = given->cache_bytes;
  options.force_protocol = given->force_protocol != 0;
  options.collects = given->collects_by_itself >= 0;
  options.protocol = protocol_of(given->protocol);
  options.tracks_changes = given->tracks_changes != 0;
  if (given->migrate_after != 0) {
    options.migrate_after =
        given->migrate_after < 0 ? 0 : static_cast<unsigned>(given->migrate_after);
  }
  return options;
}

std::vector<objects::cell> cells_of(const far_cell* cells, std::size_t count) {
  if (count > 0) check_not_null(cells, "far_type_create: the cells");
  std::vector<objects::cell> result;
  result.reserve(count);
  for (const far_cell& c : std::span(cells, count)) {
    if (c.is_reference != 0 && c.width != sizeof(far_ref)) {
      throw bad_argument(fmt::format(
          "far_type_create: the reference at offset {} has {} bytes, want 8", c.offset, c.width));
    }
    result.push_back({c.offset, c.width, c.is_reference != 0});
  }
  return result;
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_space_create(const far_space_options* options, far_space** space) {
  return guarded([&] {
    check_not_null(space, "far_space_create: the result");
    const far::object_space_options how = options_of(options);
    session& in = session_here();
    *space = make_structure<far_space>(
        [&](far::world& all) { return std::make_unique<far_space>(in, all, how); });
  });
}

far_status far_space_destroy(far_space* space) {
  return guarded([&] { drop_structure(space); });
}

far_status far_space_take_changed(far_space* space, const far_ref** places, size_t* count) {
  return guarded([&] {
    check_not_null(places, "far_space_take_changed: the result");
    check_not_null(count, "far_space_take_changed: the count");
    (void)space_here(space);
    std::vector<std::uint64_t>& result = lane_here().places;
    result.clear();
    for (const far::objects::place at : space->part->take_changed()) result.push_back(at.bits());
    *places = result.data();
    *count = result.size();
  });
}

int far_space_is_coherent(const far_space* space) {
  return space != nullptr && space->part->coherent ? 1 : 0;
}

far_status far_type_create(far_space* space, const char* name, size_t size, const far_cell* cells,
                           size_t count, const far_type** type) {
  return guarded([&] {
    check_not_null(space, "far_type_create: the space");
    check_not_null(name, "far_type_create: the name");
    check_not_null(type, "far_type_create: the result");
    *type = handle_of(space->part->learn(
        std::make_unique<far::objects::described_type>(name, size, cells_of(cells, count))));
  });
}

const char* far_type_name(const far_type* type, size_t* length) {
  const std::string_view name = descriptor_of(type).name();
  if (length != nullptr) *length = name.size();
  return name.data();
}

size_t far_type_size(const far_type* type) { return descriptor_of(type).size(); }

const far_cell* far_type_cells(const far_type* type, size_t* count) {
  const auto& cells = descriptor_of(type).cells();
  if (count != nullptr) *count = cells.size();
  return reinterpret_cast<const far_cell*>(cells.data());
}
}
