#pragma once
// What the operations of far::queue and far::checksum_queue cost, for one value or for several that
// do not wrap around. The test counts the accesses of the code (ring_user.cpp, ring_phase.cpp,
// checksum_user.cpp). Operations that are not awaited do not count.
//
// A fetch-and-add of a queue goes to one of two words that all ranks add to, so it is A_hot.
// A_turn is a compare-and-swap, as soon as all earlier operations of its side have done theirs.
// Checked by: queue_costs_test.formulas_are_what_the_operations_do

#include "far/model/formula.hpp"
#include "far/model/operation_cost.hpp"

namespace far::containers::queue_costs {

using model::A_cas;
using model::A_hot;
using model::A_turn;
using model::formula;
using model::l;
using model::M;
using model::R;
using model::W;

/// While any rank may push and pop.
namespace concurrent {
inline constexpr formula push = A_hot + W + A_turn;
inline constexpr formula pop = A_hot + R + A_turn;
/// If the cached cursor of the other side is too old: a view's first push after as many as there
/// are slots, its first pop after as many as it knew of.
inline constexpr formula push_looking = R + push;
inline constexpr formula pop_looking = R + pop;
/// Refused: "full" or "empty". The claim is given back.
inline constexpr formula refused = A_hot + R + A_cas;
/// Refused again: the operation looks before it claims.
inline constexpr formula refused_again = 2 * R;
}  // namespace concurrent

/// In a phase of pushes.
namespace writing {
inline constexpr formula push = A_hot + W;
}  // namespace writing

/// In a phase of pops.
namespace reading {
inline constexpr formula pop = A_hot + R;
}  // namespace reading

/// While only the host uses it.
namespace local {
inline constexpr formula push = l;
inline constexpr formula pop = l;
}  // namespace local

/// By a call, whatever the operation.
inline constexpr formula call = M;

/// All but `call`, for listings.
inline constexpr model::operation_cost operations[] = {
    {"push", model::level::concurrent, concurrent::push},
    {"push_looking", model::level::concurrent, concurrent::push_looking},
    {"pop", model::level::concurrent, concurrent::pop},
    {"pop_looking", model::level::concurrent, concurrent::pop_looking},
    {"refused", model::level::concurrent, concurrent::refused},
    {"refused_again", model::level::concurrent, concurrent::refused_again},
    {"push", model::level::writing, writing::push},
    {"pop", model::level::reading, reading::pop},
    {"push", model::level::local, local::push},
    {"pop", model::level::local, local::pop},
};

}  // namespace far::containers::queue_costs

/// The same for far::checksum_queue, which has no phases and no calls. W: all words of a slot, in
/// flight at once.
/// Checked by: queue_costs_test.a_checksum_spares_a_push_its_turn
namespace far::containers::checksum_costs {

inline constexpr model::formula push = model::A_hot + model::W;
inline constexpr model::formula pop = model::A_hot + model::R + model::A_turn;
inline constexpr model::formula push_looking = model::R + push;
inline constexpr model::formula refused = model::A_hot + model::R + model::A_cas;
/// A push looks at both cursors, a pop at its own cursor and the slot.
inline constexpr model::formula refused_again = 2 * model::R;

inline constexpr model::operation_cost operations[] = {
    {"push", model::level::concurrent, push},
    {"push_looking", model::level::concurrent, push_looking},
    {"pop", model::level::concurrent, pop},
    {"refused", model::level::concurrent, refused},
    {"refused_again", model::level::concurrent, refused_again},
};

}  // namespace far::containers::checksum_costs
