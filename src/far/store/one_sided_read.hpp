#pragma once
// Reads items of another machine without its processor: the bucket, the item, and the bucket's word
// again, by three gets after each other (read.hpp says why that is enough).

#include <optional>
#include <string_view>

#include "far/store/copies.hpp"
#include "far/store/item.hpp"
#include "far/store/store_part.hpp"
#include "far/world/world.hpp"

namespace far::stores {

/// Waits. Cost: 3 R, one more where the index has grown since this rank has looked, for each
/// further bucket, and for each other key with the same tag. Errors: rank_failed.
[[nodiscard]] std::optional<stored_item> read_one_sided(const world& world, store_part& of,
                                                        int home, key_hash hash,
                                                        std::string_view key);

}  // namespace far::stores
