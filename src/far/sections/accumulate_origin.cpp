#include "far/sections/accumulate_origin.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "far/fabric/reach.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/transfer.hpp"
#include "far/rma/when_all.hpp"
#include "far/sections/accumulate_lock.hpp"
#include "far/sections/packed.hpp"

namespace far::sections {
namespace {

/// How much is added under one lock: others wait meanwhile.
constexpr std::uint64_t locked_bytes = 1 << 20;

/// The memory that a part of a plan changes: its first address, and the bytes to its end.
std::pair<fabric::address, std::uint64_t> extent_of(const plan& what) {
  if (!what.is_list()) return {what.there(), what.form().span_there()};
  std::uint64_t first = what.there().bits();
  std::uint64_t end = first;
  for (const piece& p : what.pieces()) {
    first = std::min(first, p.there.bits());
    end = std::max(end, p.there.bits() + p.bytes);
  }
  return {fabric::address::from_bits(first), end - first};
}

/// Holds the lock until its end, also if that is an exception.
class holder {
 public:
  holder(accumulate_lock& lock, const plan& what) : lock_(lock) {
    const auto [first, bytes] = extent_of(what);
    try {
      lock_.announce(first, bytes);
    } catch (...) {
      lock_.unlock();
      throw;
    }
  }
  ~holder() { lock_.unlock(); }
  holder(const holder&) = delete;
  holder& operator=(const holder&) = delete;

 private:
  accumulate_lock& lock_;
};

void add_directly(const world& world, const plan& what, const scaling& how, std::uint64_t begin,
                  std::uint64_t end) noexcept {
  what.for_each_block(begin, end,
                      [&](fabric::address there, const std::byte* here, std::uint64_t stride_there,
                          std::uint64_t stride_here, std::uint64_t rows, std::uint64_t row_bytes) {
                        accumulate_rows(how, fabric::reached(world.words(), there), stride_there,
                                        here, stride_here, rows, row_bytes);
                      });
}

/// Gets the segments, adds, and puts the sums. `sums` has room for them.
void add_by_transfers(const world& world, const plan& what, const scaling& how, std::uint64_t begin,
                      std::uint64_t end, std::byte* sums) {
  std::vector<get_part> gets;
  std::vector<put_part> puts;
  std::byte* at = sums;
  what.for_each_row(begin, end, [&](fabric::address there, std::byte*, std::uint64_t bytes) {
    gets.push_back({there, at, static_cast<std::size_t>(bytes)});
    puts.push_back({there, at, static_cast<std::size_t>(bytes)});
    at += bytes;
  });
  get(world, gets);
  at = sums;
  what.for_each_block(begin, end,
                      [&](fabric::address, const std::byte* here, std::uint64_t,
                          std::uint64_t stride, std::uint64_t rows, std::uint64_t row_bytes) {
                        accumulate_rows(how, at, row_bytes, here, stride, rows, row_bytes);
                        at += rows * row_bytes;
                      });
  put(world, puts);
}

/// Calls part(begin, end) for what is added under one lock.
template <class Part>
void for_each_part(std::uint64_t begin, std::uint64_t end, std::uint64_t bytes, Part part) {
  for (; begin < end; begin += bytes) part(begin, std::min(begin + bytes, end));
}

}  // namespace

void accumulate_directly(const world& world, const plan& what, const scaling& how) {
  accumulate_lock lock(world, what.rank());
  for_each_part(0, what.bytes(), locked_bytes, [&](std::uint64_t begin, std::uint64_t end) {
    lock.lock();
    const holder held(lock, what);
    add_directly(world, what, how, begin, end);
  });
}

future<void> start_accumulate_directly(const world& world, const plan& what, const scaling& how) {
  accumulate_lock lock(world, what.rank());
  std::uint64_t begin = 0;
  while (begin < what.bytes() && lock.try_lock()) {
    const holder held(lock, what);
    const std::uint64_t end = std::min(begin + locked_bytes, what.bytes());
    add_directly(world, what, how, begin, end);
    begin = end;
  }
  if (begin == what.bytes()) return ready_future(world);
  return start_packed_accumulate(world, what, pipeline_of(slice_bytes), how, begin);
}

void accumulate_per_segment(const world& world, const plan& what, const scaling& how) {
  accumulate_lock lock(world, what.rank());
  std::vector<std::byte> sums(
      static_cast<std::size_t>(std::min<std::uint64_t>(what.bytes(), slice_bytes)));
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    lock.lock();
    const holder held(lock, what);
    add_by_transfers(world, what, how, begin, end, sums.data());
  };
  if (!what.is_list()) return for_each_part(0, what.bytes(), slice_bytes, add);
  // Segments of a list may overlap, so the sum of one is put before the next is gotten.
  for (const piece& p : what.pieces()) for_each_part(p.at, p.at + p.bytes, slice_bytes, add);
}

}  // namespace far::sections
