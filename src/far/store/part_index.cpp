#include "far/store/part_index.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "far/fabric/copy.hpp"

namespace far::stores {
namespace {

using entry_words = std::array<std::uint64_t, bucket::size>;

/// Takes the entries out of a bucket.
entry_words take_entries(bucket& from) noexcept {
  entry_words taken;
  for (std::size_t i = 0; i < bucket::size; ++i) {
    taken[i] = load(from.entries[i]);
    store(from.entries[i], 0);
  }
  return taken;
}

bucket& first_bucket(const part_memory& part, key_hash hash) noexcept {
  return part.bucket_at(part_memory::bucket_of(hash, part.state().buckets));
}

}  // namespace

chain_change::chain_change(const part_memory& part, key_hash hash) noexcept
    : chain_change(first_bucket(part, hash)) {}

chain_change::chain_change(bucket& first) noexcept : first_(&first) {
  store(first.word, bucket_word{first.word}.turned().bits);
  fabric::release_fence();  // before what changes
}

chain_change::~chain_change() { store(first_->word, bucket_word{first_->word}.turned().bits); }

template <class Visit>
std::uint64_t* part_index::find_entry(key_hash hash, Visit visit) const noexcept {
  bucket* one = &first_bucket(part_, hash);
  for (;;) {
    for (std::uint64_t& word : one->entries) {
      const entry found(load(word));
      if (!found.is_empty() && found.tag() == hash.tag() && visit(found)) return &word;
    }
    const std::uint64_t next = bucket_word{one->word}.next();
    if (next == 0) return nullptr;
    one = &part_.overflow(next);
  }
}

std::uint64_t* part_index::find(key_hash hash, std::string_view key) const noexcept {
  return find_entry(hash, [&](entry found) {
    const item_header header = part_.header(found.place());
    return part_.key_of(found.place(), header) == key;
  });
}

std::uint64_t* part_index::find_at(key_hash hash, std::uint64_t place) const noexcept {
  return find_entry(hash, [&](entry found) { return found.place() == place; });
}

void part_index::add(key_hash hash, entry what) const noexcept {
  bucket& first = first_bucket(part_, hash);
  const chain_change change(first);
  append(first, what);
}

void part_index::append(bucket& first, entry what) const noexcept {
  bucket* one = &first;
  for (;;) {
    for (std::uint64_t& word : one->entries) {
      if (load(word) == 0) return store(word, what.word());
    }
    const std::uint64_t next = bucket_word{one->word}.next();
    if (next == 0) break;
    one = &part_.overflow(next);
  }
  part_state& state = part_.state();
  const std::uint64_t number = state.free_overflow;
  bucket& more = part_.overflow(number);
  state.free_overflow = bucket_word{more.word}.next();
  store(more.word, 0);
  store(more.entries[0], what.word());
  store(one->word, bucket_word{one->word}.with_next(number).bits);
}

void part_index::remove(key_hash hash, std::uint64_t* word) const noexcept {
  bucket& first = first_bucket(part_, hash);
  const chain_change change(first);
  // The chain's last entry takes the place, so that its buckets are full but for the last.
  bucket* last = &first;
  bucket* before = nullptr;
  while (const std::uint64_t next = bucket_word{last->word}.next()) {
    before = last;
    last = &part_.overflow(next);
  }
  std::size_t count = 0;
  while (count < bucket::size && load(last->entries[count]) != 0) ++count;
  std::uint64_t& moved = last->entries[count - 1];
  store(*word, load(moved));
  store(moved, 0);
  if (count == 1 && before != nullptr) {
    const std::uint64_t number = bucket_word{before->word}.next();
    store(before->word, bucket_word{before->word}.with_next(0).bits);
    free_overflow(number);
  }
}

void part_index::free_overflow(std::uint64_t number) const noexcept {
  part_state& state = part_.state();
  store(part_.overflow(number).word, bucket_word{}.with_next(state.free_overflow).bits);
  state.free_overflow = number;
}

void part_index::add_overflow() const noexcept {
  part_state& state = part_.state();
  const std::uint64_t number = ++state.overflow_buckets;
  bucket& more = part_.overflow(number);
  for (std::uint64_t& word : more.entries) store(word, 0);
  free_overflow(number);
}

void part_index::grow() const noexcept {
  part_state& state = part_.state();
  const std::uint64_t old = state.buckets;
  const std::uint64_t half = std::bit_floor(old);
  const auto level = static_cast<unsigned>(std::countr_zero(half));
  bucket& from = part_.bucket_at(old - half);
  bucket& added = part_.bucket_at(old);
  store(added.word, bucket_word{}.with_level(level + 1).bits);
  for (std::uint64_t& word : added.entries) store(word, 0);

  const chain_change change(from);
  // The entries are taken out bucket by bucket and appended to either chain, which never needs
  // more overflow buckets than were given up by then.
  bucket_word rest{from.word};
  entry_words taken = take_entries(from);
  store(from.word, bucket_word{from.word}.with_next(0).with_level(level + 1).bits);
  for (;;) {
    const std::uint64_t next = rest.next();
    entry_words following = {};
    if (next != 0) {
      bucket& one = part_.overflow(next);
      rest = bucket_word{one.word};
      following = take_entries(one);
      free_overflow(next);
    }
    for (const std::uint64_t word : taken) {
      if (word == 0) continue;
      const entry what(word);
      const key_hash hash(part_.key_of(what.place(), part_.header(what.place())));
      append((hash.bits >> level & 1) != 0 ? added : from, what);
    }
    if (next == 0) break;
    taken = following;
  }
  store(state.buckets, old + 1);
}

}  // namespace far::stores
