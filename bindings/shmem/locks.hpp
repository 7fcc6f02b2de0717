#pragma once

namespace far::shmem {

/// Errors: bad_argument if this PE holds a lock, for which others may wait.
void check_no_lock_held();

}  // namespace far::shmem
