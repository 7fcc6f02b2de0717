#pragma once
// Measured costs, kept between runs in a JSON file. Costs are in nanoseconds.
//
//   {"fabrics": {"shm": {"self":      {"ranks": 2, "put": 1.5, "get": ..., ...},
//                        "same_node": {"ranks": 2, "put": 1.6, ...}},
//                "sim/cori-aries": {...}}}
//
// The keys are fabric::name for fabrics, and name_of for distances, components and bulk costs. A
// distance has all components; bulk costs may be missing. Docs: docs/model.md.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "far/model/distance.hpp"

namespace far::model {

/// The content of a file, by name of the fabric.
using costs_of_fabrics = std::map<std::string, costs_by_distance, std::less<>>;

/// The path of this process's file, whether it exists or not: $FAR_MODEL, or else far/model.json in
/// $XDG_CACHE_HOME, or else in $HOME/.cache; "" if none of them is set.
/// Checked by: costs_file_test.variables_say_where_it_is
[[nodiscard]] std::string costs_file_path();

/// Reads a file; the result is empty if there is no such file.
/// Errors: bad_argument that says in which file and where in it, what is wrong and what to do.
/// Checked by: costs_file_test.what_is_written_is_read, costs_file_test.what_is_wrong_is_told
[[nodiscard]] costs_of_fabrics read_costs(const std::string& path);

/// Replaces the fabric's distances that are in `costs`, and keeps everything else in the file.
/// Creates the file's parent folders. Readers see either the old file or the new one. Of two
/// processes that write at the same time, the later one may undo what the earlier one added.
/// Errors: bad_argument for a path that cannot be written ("": says which variable to set), and as
/// read_costs for the existing file.
/// Checked by: costs_file_test.others_are_kept, costs_file_test.what_cannot_be_written_is_told
void write_costs(const std::string& path, std::string_view fabric, const costs_by_distance& costs);

}  // namespace far::model
