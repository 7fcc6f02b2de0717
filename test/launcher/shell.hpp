#pragma once

#include <string>

#include "test/support/command.hpp"

namespace far::test {

/// Runs a shell's command line, in which $FAR and $ACT are the programs of this build.
inline outcome shell(const std::string& line) {
  return run_command({"sh", "-c", line},
                     {{{"FAR", built("far")}, {"ACT", built("test-act")}}, "", false});
}

}  // namespace far::test
