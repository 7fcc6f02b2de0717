#include "far/base/same_type.hpp"

#include <cstring>

namespace far::base {

bool same_name(const std::type_info& a, const std::type_info& b) noexcept {
  // GCC compares types of unnamed namespaces by address, clang by name.
  return a == b && std::strstr(a.name(), "_GLOBAL__N_") == nullptr;
}

}  // namespace far::base
