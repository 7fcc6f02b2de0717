#include "far/containers/map/shared_table.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/containers/agreement.hpp"
#include "far/fabric/verbs.hpp"

namespace far::containers {

std::uint64_t buckets_for(std::uint64_t capacity, int ranks, std::size_t bucket_bytes) {
  const std::uint64_t most = std::bit_floor(fabric::address::max_offset / bucket_bytes);
  // Of so many keys a rank gets its share and, in all but one of a billion cases, no more than six
  // times the share's square root beyond.
  const double share = static_cast<double>(capacity) / ranks;
  const double room = 1.25 * (share + 6 * std::sqrt(share));
  if (capacity == 0 || room > static_cast<double>(most)) {
    throw bad_argument(
        fmt::format("hash_map: room for {} keys on {} ranks: it can be for 1 to about {:.3g} keys",
                    capacity, ranks, 0.8 * static_cast<double>(most) * ranks));
  }
  return std::bit_ceil(static_cast<std::uint64_t>(std::ceil(room)));
}

void agree_on_table(const world& view, object_id id, const char* type, std::uint64_t capacity,
                    amo_domain domain) {
  agree_on_object(
      view, id, fmt::format("{} for {} keys, domain {}", type, capacity, static_cast<int>(domain)));
}

void check_capacity(std::uint64_t wanted, std::uint64_t capacity) {
  if (wanted <= capacity) return;
  throw bad_argument(fmt::format(
      "hash_map: room for {} keys in a map that was made for {}: in the segments it does "
      "not grow; make it for more",
      wanted, capacity));
}

void throw_not_shared() {
  throw bad_argument(
      "hash_map: a map that grows works by calls only; make it with a capacity, and it lies in the "
      "segments, where one-sided operations reach it");
}

void throw_full(int rank, std::uint64_t buckets, std::uint64_t capacity) {
  throw out_of_memory(fmt::format(
      "hash_map: all {} buckets of rank {} are taken, in a map made for {} keys: make it "
      "for more, or call compact() if many keys have been erased",
      buckets, rank, capacity));
}

}  // namespace far::containers
