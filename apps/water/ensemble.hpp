#pragma once
// The molecules as shared objects.

#include <cstdint>

#include "apps/common/object_workers.hpp"
#include "apps/water/model.hpp"
#include "far/far.hpp"

namespace far::apps::water {

/// A molecule is three objects. Its owner alone writes the first two. All who have computed forces
/// on it add them to the third, in the monitor of the owner's share.
struct molecule {
  ref<sites> position;  ///< the oxygen is inside the box
  ref<sites> velocity;
  ref<sites> force;
};

/// What one worker owns: molecules, and its part of the energies after each step.
struct share {
  ref<energies[]> steps;
};

struct ensemble {
  std::uint64_t molecules;
  std::uint64_t steps;
  std::uint64_t seed;
  double pair_ns;  ///< in a simulation: time that a pair takes
  ref<molecule[]> all;
  ref<ref<share>[]> shares;  ///< by worker
  std::uint64_t begin_ns;    ///< when the first step began
  std::uint64_t end_ns;
};

/// What each worker does: it simulates all steps.
void run_share(worker<ensemble>& self);

/// The molecules of worker w are first_of(w) .. first_of(w + 1) - 1.
[[nodiscard]] constexpr std::uint64_t first_of(std::uint64_t w, std::uint64_t workers,
                                               std::uint64_t molecules) {
  return w * molecules / workers;
}

}  // namespace far::apps::water

template <>
struct far::object_type<far::apps::water::energies>
    : far::object_fields<far::apps::water::energies, &far::apps::water::energies::kinetic,
                         &far::apps::water::energies::bonded, &far::apps::water::energies::pairs> {
};
template <>
struct far::object_type<far::apps::water::molecule>
    : far::object_fields<far::apps::water::molecule, &far::apps::water::molecule::position,
                         &far::apps::water::molecule::velocity,
                         &far::apps::water::molecule::force> {};
template <>
struct far::object_type<far::apps::water::share>
    : far::object_fields<far::apps::water::share, &far::apps::water::share::steps> {};
template <>
struct far::object_type<far::apps::water::ensemble>
    : far::object_fields<far::apps::water::ensemble, &far::apps::water::ensemble::molecules,
                         &far::apps::water::ensemble::steps, &far::apps::water::ensemble::seed,
                         &far::apps::water::ensemble::pair_ns, &far::apps::water::ensemble::all,
                         &far::apps::water::ensemble::shares, &far::apps::water::ensemble::begin_ns,
                         &far::apps::water::ensemble::end_ns> {};
