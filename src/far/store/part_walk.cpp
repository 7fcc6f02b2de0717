#include "far/store/part_walk.hpp"

#include "far/store/part_read.hpp"

namespace far::stores {
namespace {

/// The same bits from the other end.
std::uint64_t mirrored(std::uint64_t bits) noexcept {
  constexpr std::uint64_t ones = 0x5555555555555555, twos = 0x3333333333333333,
                          fours = 0x0f0f0f0f0f0f0f0f;
  bits = (bits >> 1 & ones) | (bits & ones) << 1;
  bits = (bits >> 2 & twos) | (bits & twos) << 2;
  bits = (bits >> 4 & fours) | (bits & fours) << 4;
  return __builtin_bswap64(bits);
}

void visit_chain(const part_memory& part, const bucket& first, store_second now, item_visit visit) {
  for (const bucket* one = &first;;) {
    for (const std::uint64_t& word : one->entries) {
      const entry at(load(word));
      if (at.is_empty()) continue;
      const item_header header = part.header(at.place());
      if (header.has_expired(now)) continue;
      visit(part.key_of(at.place(), header), info_of(header, at));
    }
    const std::uint64_t next = bucket_word{one->word}.next();
    if (next == 0) return;
    one = &part.overflow(next);
  }
}

}  // namespace

std::uint64_t walk(const part_memory& part, std::uint64_t cursor, std::uint64_t buckets,
                   store_second now, item_visit visit) {
  for (; buckets > 0; --buckets) {
    const key_hash hash(mirrored(cursor));
    const bucket& first = part.bucket_at(part_memory::bucket_of(hash, part.state().buckets));
    visit_chain(part, first, now, visit);
    const std::uint64_t before = cursor;
    cursor += std::uint64_t{1} << (64 - bucket_word{first.word}.level());
    if (cursor < before) return 0;
  }
  return cursor;
}

}  // namespace far::stores
