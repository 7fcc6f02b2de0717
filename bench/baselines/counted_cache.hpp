#pragma once
// A cache of chunks whose accesses count references, to compare far::cached_array with: the access
// path of DArray (Ding, Han, Chen, ICPP 2023, section 4.1, Fig. 4). Nothing here uses libfar. Each
// access reads the entry's delay flag, and increments and decrements its number of references.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bench/baselines/common.hpp"

namespace far::bench::baseline {

/// Words, all of them cached and writable. Without misses: nothing here ever sets a delay flag.
class counted_cache {
 public:
  explicit counted_cache(std::uint64_t words)
      : size_(words), words_(words), entries_(new entry[words / chunk + 1]) {
    for (std::uint64_t i = 0; i < words; i += chunk) entries_[i / chunk].line = &words_[i];
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  [[nodiscard]] std::uint64_t get(std::uint64_t i) const {
    entry& e = referenced(i);
    const std::uint64_t result = word(e, i).load(std::memory_order_relaxed);
    e.references.fetch_sub(1, std::memory_order_release);
    return result;
  }
  void put(std::uint64_t i, std::uint64_t value) const {
    entry& e = referenced(i);
    word(e, i).store(value, std::memory_order_relaxed);
    e.references.fetch_sub(1, std::memory_order_release);
  }

 private:
  static constexpr std::uint64_t chunk = 512;

  enum class state : std::uint8_t { invalid, readable, writable };
  /// Has a cache line of its own, so that threads with different chunks do not disturb each other.
  struct alignas(64) entry {
    std::atomic<bool> delays{false};
    std::atomic<state> has{state::writable};
    std::atomic<std::int64_t> references{0};
    std::uint64_t* line = nullptr;
  };

  static std::atomic_ref<std::uint64_t> word(const entry& e, std::uint64_t i) noexcept {
    return std::atomic_ref<std::uint64_t>(e.line[i % chunk]);
  }

  /// The entry of element i, with one more reference.
  [[nodiscard]] entry& referenced(std::uint64_t i) const {
    if (i >= size_) throw std::out_of_range("counted_cache");
    entry& e = entries_[i / chunk];
    while (e.delays.load(std::memory_order_acquire)) relax();
    // seq_cst: before the state is read; who takes a right away writes the state and then reads the
    // references.
    e.references.fetch_add(1, std::memory_order_seq_cst);
    if (e.has.load(std::memory_order_seq_cst) == state::invalid) [[unlikely]]
      throw std::logic_error("counted_cache: a miss");
    return e;
  }

  std::uint64_t size_;
  mutable std::vector<std::uint64_t> words_;
  std::unique_ptr<entry[]> entries_;
};

}  // namespace far::bench::baseline
