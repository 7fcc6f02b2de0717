#pragma once
// The loops in which `far bench array` accesses elements. They are the same for all kinds of
// arrays: far::cached_array, memory by hand, std::vector, and the cache that counts references.
// Each loop is a function of its own, so that nothing moves out of it, and uses what it reads. They
// copy what accesses the array, so that addresses and sizes may stay in registers.

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/baselines/counted_cache.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/random_places.hpp"
#include "far/far.hpp"

namespace far::bench::array_loops {

using word = std::uint64_t;
using words = cached_array<word>;

/// All arrays have 2^20 words (8 MB), more than a core's private caches.
constexpr std::uint64_t all_words = random_places<>::words;
constexpr std::uint64_t chunk_words = 512;  // the default of cached_array_options

// ---- arrays: get, put and add of one element, with a check of the index
// --------------------------

template <access_order Order>
struct of_view {
  const cached_view<word, Order>& a;
  std::uint64_t first = 0;  ///< the index of the first element that the loops use

  [[nodiscard, gnu::always_inline]] word get(std::uint64_t i) const { return a.get(i); }
  [[gnu::always_inline]] void put(std::uint64_t i, word value) const { a.put(i, value); }
  [[gnu::always_inline]] void add(std::uint64_t i, word value) const {
    a.apply(i, value, std::plus<>());
  }
};

using of_far = of_view<access_order::sequential>;
using of_relaxed = of_view<access_order::relaxed>;
using relaxed_words = cached_view<word, access_order::relaxed>;

/// The same elements by their address.
struct by_hand {
  word* base;  ///< the address of element 0, as far as it follows from that of element `first`
  std::uint64_t size;
  std::uint64_t first = 0;

  [[nodiscard, gnu::always_inline]] word get(std::uint64_t i) const {
    return at(i).load(std::memory_order_relaxed);
  }
  [[gnu::always_inline]] void put(std::uint64_t i, word value) const {
    at(i).store(value, std::memory_order_seq_cst);
  }
  [[gnu::always_inline]] void add(std::uint64_t i, word value) const { at(i).fetch_add(value); }

 private:
  [[nodiscard, gnu::always_inline]] std::atomic_ref<word> at(std::uint64_t i) const {
    if (i >= size) [[unlikely]]
      throw std::out_of_range("by_hand");
    return std::atomic_ref<word>(base[i]);
  }
};

/// The same with stores that order nothing.
struct by_hand_relaxed : by_hand {
  [[gnu::always_inline]] void put(std::uint64_t i, word value) const {
    if (i >= size) [[unlikely]]
      throw std::out_of_range("by_hand");
    std::atomic_ref<word>(base[i]).store(value, std::memory_order_relaxed);
  }
};

/// Memory in huge pages, if the machine has them for the asking, or in ordinary ones.
template <class T, bool Huge>
struct page_allocator {
  using value_type = T;
  template <class U>
  struct rebind {
    using other = page_allocator<U, Huge>;
  };

  page_allocator() = default;
  template <class U>
  explicit page_allocator(const page_allocator<U, Huge>& /*other*/) noexcept {}

  static constexpr std::align_val_t alignment{2 << 20};
  T* allocate(std::size_t n) {
    void* const memory = ::operator new(n * sizeof(T), alignment);
    madvise(memory, n * sizeof(T), Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t /*n*/) noexcept { ::operator delete(memory, alignment); }
  bool operator==(const page_allocator&) const = default;
};
template <bool Huge>
using word_vector = std::vector<word, page_allocator<word, Huge>>;

template <bool Huge>
struct of_vector {
  word_vector<Huge>& v;
  static constexpr std::uint64_t first = 0;

  [[nodiscard, gnu::always_inline]] word get(std::uint64_t i) const { return v.at(i); }
  [[gnu::always_inline]] void put(std::uint64_t i, word value) const { v.at(i) = value; }
  [[gnu::always_inline]] void add(std::uint64_t i, word value) const { v.at(i) += value; }
};

struct of_counted {
  const baseline::counted_cache& cache;
  static constexpr std::uint64_t first = 0;

  [[nodiscard, gnu::always_inline]] word get(std::uint64_t i) const { return cache.get(i); }
  [[gnu::always_inline]] void put(std::uint64_t i, word value) const { cache.put(i, value); }
};

// ---- loops --------------------------------------------------------------------------------------

template <class Array>
[[gnu::noinline]] word read_in_order(const Array& array, std::uint64_t begin, std::uint64_t end) {
  const Array a = array;
  word sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) sum += a.get(i);
  return sum;
}

template <class Array>
[[gnu::noinline]] word write_in_order(const Array& array, std::uint64_t begin, std::uint64_t end) {
  const Array a = array;
  for (std::uint64_t i = begin; i < end; ++i) a.put(i, i);
  return end;
}

template <class Array>
[[gnu::noinline]] word add_in_order(const Array& array, std::uint64_t begin, std::uint64_t end) {
  const Array a = array;
  for (std::uint64_t i = begin; i < end; ++i) a.add(i, 1);
  return end;
}

template <class Array>
[[gnu::noinline]] word read_at_random(const Array& array, std::uint64_t first, std::int64_t count) {
  const Array a = array;
  random_places<> next;
  word sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += a.get(first + static_cast<std::uint64_t>(next()));
  return sum;
}

[[gnu::noinline]] inline word sum_of(std::span<const word> some) {
  word sum = 0;
  for (const word& x : some) sum += x;
  return sum;
}

/// Pins each chunk of the range, and unpins it.
[[gnu::noinline]] inline word read_pinned(of_far from, std::uint64_t begin, std::uint64_t end) {
  word sum = 0;
  for (std::uint64_t i = begin; i < end;) {
    const auto pin = from.a.pin_read(i);
    for (const word& x : pin.elements()) sum += x;
    i += pin.size();
  }
  return sum;
}
template <bool Huge>
[[gnu::noinline]] word read_unchecked(of_vector<Huge> from, std::uint64_t begin,
                                      std::uint64_t end) {
  const word_vector<Huge>& v = from.v;
  word sum = 0;
  for (std::uint64_t i = begin; i < end; ++i) sum += v[i];
  return sum;
}

// ---- subjects -----------------------------------------------------------------------------------

/// Runs loop(array, begin, end) for as many elements as wanted, round and round over the array;
/// each call continues where the last one ended. Before a round it passes over all elements, which
/// loads them into the caches, and does the array's misses.
template <class Array, class Loop>
subject in_order(std::string name, Array array, Loop loop) {
  const auto pass = [array, loop](std::uint64_t begin, std::uint64_t end) {
    keep(loop(array, array.first + begin, array.first + end));
  };
  return {std::move(name),
          [pass, next = std::uint64_t{0}](std::int64_t count) mutable {
            for (auto left = static_cast<std::uint64_t>(count); left > 0;) {
              const std::uint64_t end = std::min(next + left, all_words);
              pass(next, end);
              left -= end - next;
              next = end % all_words;
            }
          },
          [pass] { pass(0, all_words); }};
}

template <class Array>
subject at_random(std::string name, Array array) {
  return {std::move(name),
          [array](std::int64_t count) { keep(read_at_random(array, array.first, count)); },
          [array] { keep(read_in_order(array, array.first, array.first + all_words)); }};
}

/// Sums the same words over and over, as if `count` different ones.
inline subject over_and_over(std::string name, std::span<const word> some) {
  return {std::move(name), [some](std::int64_t count) {
            const auto size = static_cast<std::int64_t>(some.size());
            for (std::int64_t i = 0; i < count; i += size) keep(sum_of(some));
          }};
}

/// The subject on rank 0; the other ranks sleep meanwhile. `kept` lives as long as the subject.
template <class Kept>
subject on_rank_0(const world& world, const std::shared_ptr<Kept>& kept, subject s) {
  if (world.rank() != 0) return {std::move(s.name), [kept](std::int64_t) {}};
  return {std::move(s.name), [kept, run = std::move(s.run)](std::int64_t count) { run(count); },
          std::move(s.warm_up)};
}

}  // namespace far::bench::array_loops
