#include "far/fabric/fork.hpp"

#include "far/base/error.hpp"

namespace far::fabric {

void refuse_fork() { throw bad_argument(fork_is_no_rank); }

}  // namespace far::fabric
