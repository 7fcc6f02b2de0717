#include "types.hpp"

namespace far::python {

combining combining_named(const std::string& name) {
  if (name == "sum") return combining::sum;
  if (name == "prod") return combining::product;
  if (name == "min") return combining::min;
  if (name == "max") return combining::max;
  if (name == "and") return combining::bit_and;
  if (name == "or") return combining::bit_or;
  if (name == "xor") return combining::bit_xor;
  throw bad_argument(fmt::format(
      "there is no operation '{}'; the operations are sum, prod, min, max, and, or, xor", name));
}

void check_combining(combining how, std::string_view code) {
  if (how < combining::bit_and || code.front() != 'f') return;
  throw bad_argument(fmt::format("elements of type '{}' have no bits to combine", code));
}

}  // namespace far::python
