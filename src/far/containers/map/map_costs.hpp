#pragma once
// The costs of a hash_map's operations, for a key in its first bucket. They stand next to the code
// that they describe (bucket_operations.inc); the test counts its accesses. Accesses that are not
// waited for do not count.
// Checked by: map_costs_test.formulas_are_what_the_operations_do

#include "far/model/formula.hpp"
#include "far/model/operation_cost.hpp"

namespace far::containers::map_costs {

using model::A_cas;
using model::A_fao;
using model::formula;
using model::M;
using model::R;
using model::W;

/// While any operation may happen at the same time.
namespace concurrent {
inline constexpr formula insert = A_cas + W + A_fao;
inline constexpr formula insert_there = A_cas + R;
inline constexpr formula assign = 2 * A_cas + 2 * R + W + A_fao;
inline constexpr formula update = 2 * A_cas + 3 * R + W + A_fao;
inline constexpr formula add = A_fao + R + A_fao;  // to a word
inline constexpr formula erase = 2 * R + A_cas + A_fao;
inline constexpr formula find = A_fao + R;
}  // namespace concurrent

/// While no rank looks up keys.
namespace writing {
inline constexpr formula insert = A_cas + W;
inline constexpr formula assign = 2 * A_cas + R + W;
inline constexpr formula update = 2 * A_cas + 2 * R + W;
inline constexpr formula add = update;
inline constexpr formula erase = 2 * R + A_cas;
}  // namespace writing

/// While no rank changes the map.
namespace reading {
inline constexpr formula find = R;
}  // namespace reading

/// By a call, for any operation.
inline constexpr formula call = M;

/// All formulas but `call`, for code that lists them.
inline constexpr model::operation_cost operations[] = {
    {"insert", model::level::concurrent, concurrent::insert},
    {"insert_there", model::level::concurrent, concurrent::insert_there},
    {"assign", model::level::concurrent, concurrent::assign},
    {"update", model::level::concurrent, concurrent::update},
    {"add", model::level::concurrent, concurrent::add},
    {"erase", model::level::concurrent, concurrent::erase},
    {"find", model::level::concurrent, concurrent::find},
    {"insert", model::level::writing, writing::insert},
    {"assign", model::level::writing, writing::assign},
    {"update", model::level::writing, writing::update},
    {"add", model::level::writing, writing::add},
    {"erase", model::level::writing, writing::erase},
    {"find", model::level::reading, reading::find},
};

}  // namespace far::containers::map_costs
