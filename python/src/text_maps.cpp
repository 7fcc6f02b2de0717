#include "bindings.hpp"
#include "maps.hpp"

namespace far::python {

void define_text_maps(nb::module_& module) {
  py_map<std::string, std::uint64_t>::define(module, "MapBytesWord");
  py_map<std::string, double>::define(module, "MapBytesDouble");
  py_map<std::string, std::string>::define(module, "MapBytesBytes");
}

}  // namespace far::python
