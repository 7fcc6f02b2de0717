// Which libfar this is, and where.

#include <dlfcn.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include <far/far.hpp>

#include "bindings.hpp"

namespace nb = nanobind;

namespace far::python {
namespace {

/// The path of the libfar that this process has loaded.
std::string library_path() {
  Dl_info found{};
  if (dladdr(reinterpret_cast<void*>(&far::interrupt), &found) == 0) {
    throw std::runtime_error("the dynamic linker does not know where libfar is");
  }
  return found.dli_fname;
}

}  // namespace

void define_library(nb::module_& module) {
  module.attr("__version__") = FAR_VERSION;
  module.def("library_path", library_path, "The path of the libfar that this process has loaded.");
}

}  // namespace far::python
