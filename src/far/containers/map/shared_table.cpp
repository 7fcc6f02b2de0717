#include "far/containers/map/shared_table.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/verbs.hpp"
#include "far/homes/registry.hpp"

namespace far::containers {

std::uint64_t buckets_for(std::uint64_t capacity, int ranks, std::size_t bucket_bytes) {
  const std::uint64_t max = std::bit_floor(fabric::address::max_offset / bucket_bytes);
  // A rank gets its share of the keys, plus at most six times the square root of the share, in all
  // but one of a billion cases.
  const double share = static_cast<double>(capacity) / ranks;
  const double room = 1.25 * (share + 6 * std::sqrt(share));
  if (capacity == 0 || room > static_cast<double>(max)) {
    throw bad_argument(
        fmt::format("hash_map: a capacity of {} keys on {} ranks: it can be 1 to about {:.3g} keys",
                    capacity, ranks, 0.8 * static_cast<double>(max) * ranks));
  }
  return std::bit_ceil(static_cast<std::uint64_t>(std::ceil(room)));
}

void agree_on_table(const world& world, homes::object_id id, const char* type,
                    std::uint64_t capacity, amo_domain domain) {
  homes::agree_on_object(
      world, id,
      fmt::format("{} for {} keys, domain {}", type, capacity, static_cast<int>(domain)));
}

void check_capacity(std::uint64_t wanted, std::uint64_t capacity) {
  if (wanted <= capacity) return;
  throw bad_argument(fmt::format(
      "hash_map: cannot reserve {} keys in a map made for {}: a map in the segments does not grow; "
      "make it for more",
      wanted, capacity));
}

void throw_not_shared() {
  throw bad_argument(
      "hash_map: policy::one_sided needs a map in the segments, and this one works by calls only: "
      "make it with a capacity");
}

void throw_full(int rank, std::uint64_t buckets, std::uint64_t capacity) {
  throw out_of_memory(fmt::format(
      "hash_map: all {} buckets of rank {} are taken, in a map made for {} keys: make it "
      "for more, or call compact() if many keys have been erased",
      buckets, rank, capacity));
}

}  // namespace far::containers
