#pragma once

#include <string>

namespace far::tools {

/// Tells on standard error what is wrong with a command line, in one line, and returns the exit
/// status of that.
int complain(const std::string& command, std::string what);

}  // namespace far::tools
