#include "far/object/heap/words.hpp"

#include <algorithm>

#include "far/fabric/copy.hpp"

#define FAR_UNTRACKED __attribute__((no_sanitize("thread"), noinline))

namespace far::objects {
namespace {

template <std::size_t Bytes>
using cell_type = volatile typename fabric::detail::overlay<Bytes>::type;
template <std::size_t Bytes>
using plain_type = typename fabric::detail::overlay<Bytes>::plain;

/// Calls step(offset, width) for words that cover [0, bytes), each as wide as `at` is aligned.
template <class Step>
[[gnu::always_inline]] inline void for_words(const std::byte* at, std::size_t bytes, Step step) {
  std::size_t done = 0;
  while (done < bytes) {
    const auto here = reinterpret_cast<std::uintptr_t>(at + done);
    const std::size_t left = bytes - done;
    if (here % 8 == 0 && left >= 8) {
      step.template operator()<8>(done);
      done += 8;
    } else if (here % 4 == 0 && left >= 4) {
      step.template operator()<4>(done);
      done += 4;
    } else if (here % 2 == 0 && left >= 2) {
      step.template operator()<2>(done);
      done += 2;
    } else {
      step.template operator()<1>(done);
      done += 1;
    }
  }
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline plain_type<Bytes> load_own(const std::byte* at) {
  plain_type<Bytes> word;
  __builtin_memcpy(&word, at, Bytes);
  return word;
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline void merge_cell(std::byte* copy, std::byte* twin,
                                              const std::byte* fetched) {
  const auto now = load_own<Bytes>(fetched);
  auto before = load_own<Bytes>(twin);
  if (now == before) return;
  __builtin_memcpy(twin, &now, Bytes);
  // A thread that writes the cell meanwhile wins; its value differs from the twin.
  auto* const word = reinterpret_cast<typename fabric::detail::overlay<Bytes>::type*>(copy);
  __atomic_compare_exchange_n(word, &before, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline bool take_change(const std::byte* copy, std::byte* twin,
                                               std::byte* value) {
  const plain_type<Bytes> now = *reinterpret_cast<const cell_type<Bytes>*>(copy);
  if (now == load_own<Bytes>(twin)) return false;
  __builtin_memcpy(twin, &now, Bytes);
  __builtin_memcpy(value, &now, Bytes);
  return true;
}

}  // namespace

FAR_UNTRACKED void load_words(std::byte* own, const std::byte* shared, std::size_t bytes) noexcept {
  for_words(
      shared, bytes,
      [&]<std::size_t Bytes>(std::size_t at) __attribute__((no_sanitize("thread"), always_inline)) {
        const plain_type<Bytes> word = *reinterpret_cast<const cell_type<Bytes>*>(shared + at);
        __builtin_memcpy(own + at, &word, Bytes);
      });
}

FAR_UNTRACKED void store_words(std::byte* shared, const std::byte* own,
                               std::size_t bytes) noexcept {
  for_words(
      shared, bytes,
      [&]<std::size_t Bytes>(std::size_t at) __attribute__((no_sanitize("thread"), always_inline)) {
        *reinterpret_cast<cell_type<Bytes>*>(shared + at) = load_own<Bytes>(own + at);
      });
}

FAR_UNTRACKED void update_words(std::byte* shared, const std::byte* own,
                                std::size_t bytes) noexcept {
  for_words(
      shared, bytes,
      [&]<std::size_t Bytes>(std::size_t at) __attribute__((no_sanitize("thread"), always_inline)) {
        auto* const word = reinterpret_cast<cell_type<Bytes>*>(shared + at);
        const plain_type<Bytes> now = load_own<Bytes>(own + at);
        if (*word != now) *word = now;
      });
}

FAR_UNTRACKED void merge_range(std::byte* copy, std::byte* twin, const std::byte* changed,
                               const type_descriptor& type, std::size_t offset,
                               std::size_t bytes) noexcept {
  const auto& cells = type.cells();
  if (cells.empty()) return;
  std::size_t element = offset / type.size();
  auto c = std::ranges::lower_bound(cells, offset % type.size(), {}, &cell::offset);
  for (;; ++c) {
    if (c == cells.end()) {
      ++element;
      c = cells.begin();
    }
    const std::size_t at = element * type.size() + c->offset;
    if (at + c->width > offset + bytes) return;
    const std::byte* const now = changed + (at - offset);
    switch (c->width) {
      case 8:
        merge_cell<8>(copy + at, twin + at, now);
        break;
      case 4:
        merge_cell<4>(copy + at, twin + at, now);
        break;
      case 2:
        merge_cell<2>(copy + at, twin + at, now);
        break;
      default:
        merge_cell<1>(copy + at, twin + at, now);
        break;
    }
  }
}

FAR_UNTRACKED void merge_elements(std::byte* copy, std::byte* twin, const std::byte* fetched,
                                  const type_descriptor& type, std::size_t count) noexcept {
  merge_range(copy, twin, fetched, type, 0, count * type.size());
}

FAR_UNTRACKED difference::found difference::next() noexcept {
  const auto& cells = type_->cells();
  found result{0, 0, {}};
  for (; element_ < count_; ++element_, cell_ = 0) {
    for (; cell_ < cells.size(); ++cell_) {
      const cell& c = cells[cell_];
      const std::size_t at = element_ * type_->size() + c.offset;
      bool differs = false;
      switch (c.width) {
        case 8:
          differs = take_change<8>(copy_ + at, twin_ + at, result.value);
          break;
        case 4:
          differs = take_change<4>(copy_ + at, twin_ + at, result.value);
          break;
        case 2:
          differs = take_change<2>(copy_ + at, twin_ + at, result.value);
          break;
        default:
          differs = take_change<1>(copy_ + at, twin_ + at, result.value);
          break;
      }
      if (!differs) continue;
      ++cell_;
      result.offset = static_cast<std::uint32_t>(at);
      result.width = c.width;
      return result;
    }
  }
  return result;
}

}  // namespace far::objects
