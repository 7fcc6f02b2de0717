#pragma once

#include <string>

namespace far::tools {

/// Reports an error in a command line on standard error, in one line; returns its exit status.
int complain(const std::string& command, std::string what);

}  // namespace far::tools
