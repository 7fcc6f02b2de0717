#include "far/fabric/sim/memory.hpp"

#include <sys/mman.h>

#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/limits.hpp"

namespace far::fabric::sim {
namespace {

template <class Word>
Word read(const std::byte* where) noexcept {
  Word word;
  std::memcpy(&word, where, sizeof(word));
  return word;
}

template <class Word>
Word after(const amo_request& request, Word old) noexcept {
  using signed_word = std::make_signed_t<Word>;
  const auto operand = static_cast<Word>(request.operand);
  const bool less = request.is_signed
                        ? static_cast<signed_word>(operand) < static_cast<signed_word>(old)
                        : operand < old;
  switch (request.op) {
    case amo_op::load:
      return old;
    case amo_op::store:
    case amo_op::swap:
      return operand;
    case amo_op::add:
      return static_cast<Word>(old + operand);
    case amo_op::bit_and:
      return old & operand;
    case amo_op::bit_or:
      return old | operand;
    case amo_op::bit_xor:
      return old ^ operand;
    case amo_op::min:
      return less ? operand : old;
    case amo_op::max:
      return less ? old : operand;
    case amo_op::compare_swap:
      return old == static_cast<Word>(request.compare) ? operand : old;
  }
  return old;
}

template <class Word>
std::uint64_t exchange(const amo_request& request, std::byte* where) noexcept {
  const auto old = read<Word>(where);
  const Word next = after(request, old);
  std::memcpy(where, &next, sizeof(next));
  return old;
}

}  // namespace

window::window(std::uint64_t bytes) {
  // Windows lie next to each other in memory. If their distance were their size, a power of two,
  // then the page table entries and other cached state for equal offsets would compete for the same
  // few places of the processor's caches.
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t entries = 512;  // of a page table
  constexpr std::uint64_t entries_of_line = 64 / sizeof(std::uint64_t);
  constexpr std::uint64_t apart = entries_of_line * page * (1 + entries);
  const std::uint64_t whole = bytes + apart;
  void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    const bool limited = whole > base::address_space_left();
    throw out_of_memory(
        fmt::format("no address space for {} bytes of segments of one more rank{}: start fewer "
                    "ranks, or lower symmetric_bytes and local_bytes",
                    bytes, limited ? " within the limit on it (ulimit -v)" : ""));
  }
  pages_ = {static_cast<std::byte*>(memory), [whole](std::byte* base) { munmap(base, whole); }};
}

segment_layout layout_of(std::uint64_t symmetric_bytes, std::uint64_t local_bytes) {
  segment_layout layout;
  layout.bytes[symmetric_segment] = symmetric_bytes;
  layout.begin[local_segment] = symmetric_bytes;
  layout.bytes[local_segment] = local_bytes;
  return layout;
}

std::uint64_t perform(const amo_request& request, std::byte* where) noexcept {
  return request.bytes == 8 ? exchange<std::uint64_t>(request, where)
                            : exchange<std::uint32_t>(request, where);
}

void perform(const signal& change, std::byte* where) noexcept {
  std::uint64_t word = change.value;
  if (change.how == signal::kind::add) word += read<std::uint64_t>(where);
  std::memcpy(where, &word, sizeof(word));
}

}  // namespace far::fabric::sim
