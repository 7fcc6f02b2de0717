#include "far/base/std_layout.hpp"

#include <cstdio>
#include <cstdlib>

namespace far::base {
namespace {

#ifdef _GLIBCXX_DEBUG
constexpr bool libfar_has_debug_containers = true;
#else
constexpr bool libfar_has_debug_containers = false;
#endif

}  // namespace

// Other files may not have been initialized yet.
bool check_std_layout(bool with_debug_containers) noexcept {
  if (with_debug_containers == libfar_has_debug_containers) return true;
  std::fputs(
      with_debug_containers
          ? "far: this program was compiled with -D_GLIBCXX_DEBUG and libfar without it, so their "
            "containers differ: use -D_GLIBCXX_ASSERTIONS, or compile libfar with it too\n"
          : "far: libfar was compiled with -D_GLIBCXX_DEBUG and this program without it, so their "
            "containers differ: compile both alike\n",
      stderr);
  std::_Exit(1);
}

}  // namespace far::base
