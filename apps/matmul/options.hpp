#pragma once

#include <optional>
#include <string>

#include "apps/common/variant.hpp"
#include "apps/matmul/shape.hpp"

namespace far::apps::matmul {

/// The request of the command line.
struct command {
  shape what = {};
  variant how = variant::one_sided;
  std::uint64_t panel = 256;
  bool fetch = false;
  int rounds = 1;
  int blas_threads = 0;  ///< compare with the BLAS on so many threads; 0: do not compare
  bool verify = false;
  bool json = false;
};

/// Parses the command line. Returns nothing if it requests help or the version; `answer` then holds
/// their text. Errors: bad_argument, one line.
std::optional<command> parse_command(int argc, const char* const* argv, std::string& answer);

}  // namespace far::apps::matmul
