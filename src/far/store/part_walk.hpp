#pragma once
// A walk through all items of a part, in steps between which it may change.
//
// The walk follows the keys' hashes, read from their lowest bit, in rising order. A bucket has the
// keys of one interval in this order, and buckets are split but never joined; so the end of a
// bucket's interval stays the beginning of another's, however the index has grown when the walk
// goes on. An item that is there all the time is visited exactly once, wherever it moves.

#include <cstdint>
#include <string_view>

#include "far/base/function_ref.hpp"
#include "far/store/part_memory.hpp"
#include "far/store/request.hpp"

namespace far::stores {

using item_visit = base::function_ref<void(std::string_view key, const item_info&)>;

/// One step, under the part's lock: calls `visit` for the items of up to `buckets` buckets from
/// `cursor` on, but not for those that have expired. Returns the cursor of the next step; 0, with
/// which a walk begins, also at its end. Cost: two cache misses an item, about ten items a bucket.
[[nodiscard]] std::uint64_t walk(const part_memory& part, std::uint64_t cursor,
                                 std::uint64_t buckets, store_second now, item_visit visit);

}  // namespace far::stores
