#include "far/launch/launch.hpp"

#include <unistd.h>

#include <cstdlib>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/launch/launcher.hpp"
#include "far/launch/over_hosts.hpp"

namespace far::launch {
namespace {

int run_here(const launch_options& options) {
  base::hold_standard_streams();
  if (options.tag_output && options.threads) {
    throw bad_argument("ranks that are threads share their output: it cannot be tagged by rank");
  }
  if (options.program.empty()) throw bad_argument("no program to run");
  launcher all(options, shm::region::create(shm::geometry_of(job_of(options))), STDIN_FILENO);
  return all.run();
}

}  // namespace

int run(const launch_options& options) {
  base::check_environment();
  // Ranks inherit it. Those of other machines get all variables that begin with FAR_.
  if (!options.levels.empty()) setenv("FAR_LEVELS", options.levels.c_str(), 1);
  return options.hosts.empty() ? run_here(options) : run_over_hosts(options);
}

}  // namespace far::launch
