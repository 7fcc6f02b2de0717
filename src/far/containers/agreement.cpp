#include "far/containers/agreement.hpp"

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"

namespace far::containers {

void agree_on_object(const world& view, object_id id, std::string_view type) {
  if (!all_agree(view, base::hash_combine(base::hash_bytes(type.data(), type.size()), id))) {
    throw bad_argument(fmt::format(
        "rank {} makes distributed object {}, but other ranks make one of another type or "
        "number: all ranks must make distributed objects in the same order",
        view.rank(), id));
  }
}

}  // namespace far::containers
