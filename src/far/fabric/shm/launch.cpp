#include "far/fabric/launch.hpp"

#include <unistd.h>

#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/shm/job.hpp"
#include "far/fabric/shm/launcher.hpp"

namespace far::fabric::shm {

int launch(const launch_options& options) {
  open_standard_streams();
  if (options.tag_output && options.threads) {
    throw bad_argument("ranks that are threads share their output: it cannot be tagged by rank");
  }
  if (options.program.empty()) throw bad_argument("no program to run");
  launcher all(options, region::create(geometry_of(job_of(options))), STDIN_FILENO);
  return all.run();
}

}  // namespace far::fabric::shm
