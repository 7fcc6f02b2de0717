#pragma once
// What machines tell each other of their ranks, as records.

#include <string>

#include "far/fabric/shm/region.hpp"
#include "far/fabric/shm/supervisor.hpp"
#include "far/launch/wire.hpp"

namespace far::launch {

namespace shm = fabric::shm;

/// The cards of the mapping's own ranks.
record cards_of(const shm::region& job);
/// Lays the cards of other machines' ranks into the roster. Errors: fabric_error.
void lay_cards(const shm::region& job, const record& cards);

/// The first failure that a mapping knows of.
record failure_in(const shm::region& job);
/// Tells a mapping of what failure_in has told. Errors: fabric_error.
void mark_failure(const shm::region& job, const record& failure);

record record_of(const shm::job_failure& failure);
shm::job_failure failure_of(const record& what);

}  // namespace far::launch
