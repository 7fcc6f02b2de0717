#pragma once
// Converts what machines tell each other about their ranks to and from records.

#include <string>

#include "far/fabric/shm/region.hpp"
#include "far/fabric/shm/supervisor.hpp"
#include "far/launch/wire.hpp"

namespace far::launch {

namespace shm = fabric::shm;

/// The cards of this machine's ranks.
record cards_of(const shm::region& job);
/// Stores the cards of other machines' ranks in the roster. Errors: fabric_error.
void lay_cards(const shm::region& job, const record& cards);

/// The first failure that is recorded in a job's shared memory.
record failure_in(const shm::region& job);
/// Records a result of failure_in in another machine's shared memory. Errors: fabric_error.
void mark_failure(const shm::region& job, const record& failure);

record record_of(const shm::job_failure& failure);
shm::job_failure failure_of(const record& what);

}  // namespace far::launch
