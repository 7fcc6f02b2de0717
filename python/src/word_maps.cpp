#include "bindings.hpp"
#include "maps.hpp"

namespace far::python {

void define_word_maps(nb::module_& module) {
  py_map<std::uint64_t, std::uint64_t>::define(module, "MapWordWord");
  py_map<std::uint64_t, double>::define(module, "MapWordDouble");
  py_map<std::uint64_t, std::string>::define(module, "MapWordBytes");
}

}  // namespace far::python
