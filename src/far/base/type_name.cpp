#include "far/base/type_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace far::base {

std::string readable_type(std::string_view name) {
  struct release_text {
    void operator()(char* text) const noexcept { std::free(text); }
  };
  std::string given(name);
  int status = 0;
  const std::unique_ptr<char, release_text> readable(
      abi::__cxa_demangle(given.c_str(), nullptr, nullptr, &status));
  return status == 0 ? std::string(readable.get()) : given;
}

}  // namespace far::base
