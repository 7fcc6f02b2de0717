#pragma once
// Measured costs, kept between runs: a JSON file, its figures nanoseconds.
//
//   {"fabrics": {"shm": {"self":      {"ranks": 2, "put": 1.5, "get": ..., ...},
//                        "same_node": {"ranks": 2, "put": 1.6, ...}},
//                "sim/cori-aries": {...}}}
//
// A fabric goes by fabric::name, a distance and its components by name_of; a distance has all of
// the components. Docs: docs/model.md.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "far/model/distance.hpp"

namespace far::model {

/// What a file holds, by the fabric's name.
using costs_of_fabrics = std::map<std::string, costs_by_distance, std::less<>>;

/// Where this process's file is, whether it exists or not: $FAR_MODEL, or else far/model.json in
/// $XDG_CACHE_HOME, or else in $HOME/.cache; "" where none of them is set.
/// Checked by: costs_file_test.variables_say_where_it_is
[[nodiscard]] std::string costs_file_path();

/// Nothing where there is no such file.
/// Errors: bad_argument that names file, place in it, what is wrong and what to do.
/// Checked by: costs_file_test.what_is_written_is_read, costs_file_test.what_is_wrong_is_told
[[nodiscard]] costs_of_fabrics read_costs(const std::string& path);

/// Replaces what the file says of the fabric's distances that are in `costs`, and keeps all else.
/// Makes the folders on the way to it. Readers find the old file or the new one; of two that write
/// at the same time, the later one may undo what the earlier one added.
/// Errors: bad_argument for a path that cannot be written ("": says which variable to set), and as
/// read_costs for what is there.
/// Checked by: costs_file_test.others_are_kept, costs_file_test.what_cannot_be_written_is_told
void write_costs(const std::string& path, std::string_view fabric, const costs_by_distance& costs);

}  // namespace far::model
