#include "far/store/one_sided_read.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "far/rma/atomic_ref.hpp"
#include "far/rma/transfer.hpp"
#include "far/store/part_read.hpp"

namespace far::stores {
namespace {

class remote_reader {
 public:
  remote_reader(const world& world, store_part& of, int home)
      : world_(world.borrowed()),
        shape_(&of.shape),
        buckets_(&of.buckets_seen[static_cast<std::size_t>(home)]),
        base_(of.memory.on(home)) {}

  std::optional<stored_item> read(key_hash hash, std::string_view key) {
    fabric::backoff state;
    for (;; world_.context().pause(state)) {
      const std::uint64_t number = part_memory::bucket_of(hash, buckets());
      const auto first = at<bucket>(shape_->arena_at() + number * sizeof(bucket));
      // By itself, and before the entries: the bytes of one transfer arrive in any order, and
      // entries that are older than the word would pass the comparison below.
      const bucket_word word{far::get(world_, word_of(first))};
      if (word.is_changing()) continue;
      const bucket seen = far::get(world_, first);
      if (seen.word != word.bits) continue;
      if ((hash.bits & ((std::uint64_t{1} << word.level()) - 1)) != number) {
        buckets_->store(0, std::memory_order_relaxed);
        continue;
      }
      auto found = find_in_chain(hash, key, first, seen);
      if (far::get(world_, word_of(first)) != word.bits) continue;
      if (!found || found->second.header.has_expired(second_of(world_.fabric()))) {
        return std::nullopt;
      }
      return take(std::move(found->second), found->first);
    }
  }

 private:
  struct read_item {
    ptr<std::uint64_t> word;
    item_header header;
    std::vector<std::byte> bytes;
  };

  template <class T>
  [[nodiscard]] ptr<T> at(std::uint64_t byte) const {
    return ptr<T>((base_ + static_cast<std::int64_t>(byte)).address());
  }
  [[nodiscard]] static ptr<std::uint64_t> word_of(ptr<bucket> of, std::uint64_t number = 0) {
    return ptr<std::uint64_t>(of.address()) + static_cast<std::int64_t>(number);
  }

  [[nodiscard]] std::uint64_t buckets() {
    std::uint64_t known = buckets_->load(std::memory_order_relaxed);
    if (known == 0) {
      known = far::get(world_, at<std::uint64_t>(offsetof(part_state, buckets)));
      buckets_->store(known, std::memory_order_relaxed);
    }
    return known;
  }

  std::optional<std::pair<entry, read_item>> find_in_chain(key_hash hash, std::string_view key,
                                                           ptr<bucket> first, bucket seen) {
    const std::uint64_t end = shape_->arena_at() + shape_->segments * shape_->segment_bytes;
    const std::uint64_t most = shape_->segments * shape_->segment_bytes / sizeof(bucket);
    // A chain that changes meanwhile may lead anywhere, but not for ever.
    constexpr int longest = 64;
    for (int length = 0; length < longest; ++length) {
      for (std::size_t i = 0; i < bucket::size; ++i) {
        const entry candidate(seen.entries[i]);
        if (candidate.is_empty() || candidate.tag() != hash.tag()) continue;
        if (auto item = fetch(candidate, key)) {
          item->word = word_of(first, i + 1);
          return std::pair(candidate, *std::move(item));
        }
      }
      const std::uint64_t next = bucket_word{seen.word}.next();
      if (next == 0 || next > most) break;
      first = at<bucket>(end - next * sizeof(bucket));
      seen = far::get(world_, first);
    }
    return std::nullopt;
  }

  std::optional<read_item> fetch(entry from, std::string_view key) {
    read_item item;
    const std::uint64_t bytes = from.grains() * grain_bytes;
    if (from.place() * grain_bytes + bytes > shape_->bytes()) return std::nullopt;
    item.bytes.resize(bytes);
    far::get(world_, at<std::byte>(from.place() * grain_bytes), std::span(item.bytes));
    std::memcpy(&item.header, item.bytes.data(), sizeof item.header);
    const bool fits = item.header.key_bytes == key.size() && item.header.bytes() <= bytes;
    if (!fits || std::memcmp(&item.bytes[sizeof item.header], key.data(), key.size()) != 0) {
      return std::nullopt;
    }
    return item;
  }

  stored_item take(read_item item, entry from) {
    // Nobody waits for this: if it comes too late, the item is counted as used once less.
    if (from.used().word() != from.word()) {
      static_cast<void>(atomic_ref<std::uint64_t>(world_, item.word)
                            .compare_exchange_async(from.word(), from.used().word()));
    }
    stored_item result;
    result.info = info_of(item.header, from);
    const std::byte* const value = &item.bytes[0] + sizeof item.header + item.header.key_bytes;
    result.value.assign(reinterpret_cast<const char*>(value), item.header.value_bytes);
    return result;
  }

  world world_;
  const part_shape* shape_;
  std::atomic<std::uint64_t>* buckets_;
  ptr<std::byte> base_;
};

}  // namespace

std::optional<stored_item> read_one_sided(const world& world, store_part& of, int home,
                                          key_hash hash, std::string_view key) {
  of.copied.count_read(true);
  return remote_reader(world, of, home).read(hash, key);
}

}  // namespace far::stores
