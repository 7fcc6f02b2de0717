#include "far/store/part_read.hpp"

namespace far::stores {

item_info info_of(const item_header& header, entry at) noexcept {
  item_info info;
  info.flags = header.flags;
  info.expires = header.expires;
  info.accessed = header.accessed;
  info.cas = header.cas;
  info.value_bytes = header.value_bytes;
  info.is_stale = header.is_stale != 0;
  info.is_won = header.is_won != 0;
  info.was_fetched = at.was_fetched();
  info.binary_key = header.binary_key != 0;
  return info;
}

}  // namespace far::stores
