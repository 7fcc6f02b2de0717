#include "far/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace far::base {

void check_failed(const char* file, int line, const char* what) noexcept {
  std::fprintf(stderr, "far: %s:%d: broken invariant: %s\n", file, line, what);
  std::abort();
}

}  // namespace far::base
