#pragma once
// What a thread reads and writes when it accesses a cached chunk without a lock.
//
// A rank has one word per chunk (chunk_table): where the data are, and what threads may do with
// them. Each thread has a record of its own. An access
//
//   1. writes the chunk's number into the thread's record,
//   2. reads the chunk's word, and gives up if it does not grant the right,
//   3. reads or writes the element,
//   4. clears the record, and reads `notice`.
//
// Who takes a right away clears the word, makes all threads execute a fence, and then reads the
// records. Invariant: after that, every thread whose record does not name the chunk has finished
// its accesses under the old word, and will see the new one. A thread whose record does name it
// gets a notice, and calls the slow path when it leaves, which finishes the revocation.
// (darray.txt, section 4.1, pays two atomic counts per access for the same guarantee.)

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "far/array/cached/stride.hpp"

namespace far::cached {

struct operation;

/// What a rank may do with a chunk. `write` includes reading, and applying any operator. `direct`:
/// access single elements in the home's memory, one-sided.
enum class right : std::uint8_t { none, read, write, operate, direct };
inline constexpr std::size_t rights = 5;
/// Whether a rank with this right has a copy of the elements.
[[nodiscard]] constexpr bool has_elements(right what) noexcept {
  return what == right::read || what == right::write;
}
/// Whether the answer to a recall of this right has data.
[[nodiscard]] constexpr bool returns_data(right what) noexcept {
  return what == right::write || what == right::operate;
}

/// A chunk's word: rights, and the place where the array's element 0 would be if the whole array
/// lay around this chunk. So an access needs the element's index only. Zero: no right.
class chunk_word {
 public:
  static constexpr std::uint64_t pinnable = std::uint64_t{1} << 61;
  static constexpr std::uint64_t readable = std::uint64_t{1} << 62;
  static constexpr std::uint64_t writable = std::uint64_t{1} << 63;

  constexpr explicit chunk_word(std::uint64_t bits = 0) noexcept : bits_(bits) {}
  /// `data`: of the chunk's first element, which is `before` bytes from the array's begin.
  /// `direct`, for the home: it may read, but others write meanwhile.
  chunk_word(std::byte* data, std::uint64_t before, right what) noexcept
      : bits_(((reinterpret_cast<std::uint64_t>(data) - before) & (pinnable - 1)) |
              (what == right::write    ? pinnable | readable | writable
               : what == right::read   ? pinnable | readable
               : what == right::direct ? readable
                                       : 0)) {
    if (!can_read()) bits_ = 0;
  }

  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] bool can_read() const noexcept { return (bits_ & readable) != 0; }
  [[nodiscard]] bool can_write() const noexcept { return (bits_ & writable) != 0; }
  /// Whether no other rank changes the elements under this word.
  [[nodiscard]] bool can_pin() const noexcept { return (bits_ & pinnable) != 0; }
  /// Element i of the array, which is in this chunk.
  template <class T>
  [[nodiscard]] T* element(std::uint64_t i) const noexcept {
    return reinterpret_cast<T*>((bits_ + i * sizeof(T)) & (pinnable - 1));
  }

 private:
  std::uint64_t bits_;
};

/// Elements that nobody caches, in one piece of memory: element i is i places from `base`, for each
/// of the `size` elements from `first` on.
struct plain_elements {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  std::byte* base = nullptr;

  [[nodiscard]] bool has(std::uint64_t i) const noexcept { return i - first < size; }

  [[nodiscard]] static constexpr bool can_write() noexcept { return true; }
  template <class T>
  [[nodiscard]] T* element(std::uint64_t i) const noexcept {
    return reinterpret_cast<T*>(base) + i;
  }
};

/// n zero objects, of which only those that are touched take memory.
template <class T>
class sparse_table {
 public:
  explicit sparse_table(std::uint64_t n) : items_(static_cast<T*>(std::calloc(n + 1, sizeof(T)))) {
    if (items_ == nullptr) throw std::bad_alloc();
  }
  [[nodiscard]] T* data() const noexcept { return items_.get(); }
  [[nodiscard]] T& operator[](std::uint64_t i) const noexcept { return items_.get()[i]; }

 private:
  struct freed {
    void operator()(T* items) const noexcept { std::free(items); }
  };
  std::unique_ptr<T, freed> items_;
};

using chunk_table = sparse_table<std::atomic<std::uint64_t>>;

/// Where a thread combines operands of one chunk.
struct operand_line {
  std::atomic<std::uint64_t> word;  ///< a chunk_word: readable, or zero if there is no line
  std::atomic<const operation*> operand_of;  ///< valid while there is a line

  /// The line if it is for `op`, or zero. For the thread itself, during an access.
  [[nodiscard]] chunk_word of(const operation* op) const noexcept {
    const std::uint64_t line = word.load(std::memory_order_acquire);
    return chunk_word(operand_of.load(std::memory_order_relaxed) == op ? line : 0);
  }
};

/// A pin that was made without the slow path: the chunk's number + 1, and whether it is for
/// writing; or 0.
class pin_word {
 public:
  explicit pin_word(std::uint64_t bits = 0) noexcept : bits_(bits) {}
  pin_word(std::uint64_t chunk, right what) noexcept
      : bits_((chunk + 1) << 1 | (what == right::write ? 1u : 0u)) {}

  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] bool names(std::uint64_t chunk) const noexcept { return bits_ >> 1 == chunk + 1; }
  [[nodiscard]] bool writes() const noexcept { return (bits_ & 1) != 0; }

 private:
  std::uint64_t bits_;
};

/// A thread's record. Only this thread writes `accessed` and `pins`; whoever revokes a right writes
/// the notices.
struct alignas(128) thread_record {
  static constexpr std::size_t quick_pins = 4;

  explicit thread_record(std::uint64_t chunks) : operands(chunks) {}

  std::atomic<std::uint64_t> accessed{0};    ///< the chunk's number + 1 during an access; else 0
  std::atomic<std::uint32_t> notice{0};      ///< call the slow path after this access
  std::atomic<std::uint32_t> pin_notice{0};  ///< call the slow path after a pin
  std::array<std::atomic<std::uint64_t>, quick_pins> pins{};  ///< pin_words; more are in `pinned`
  sparse_table<operand_line> operands;

  // Under the part's mutex.
  std::vector<std::uint64_t> pinned;  ///< chunks of the other pins
  bool waits_for_slot = false;
  stride_detector strides;

  [[nodiscard]] pin_word pin(std::size_t k) const noexcept {
    return pin_word(pins[k].load(std::memory_order_acquire));
  }
  /// Whether a quick pin names the chunk and needs more than `kept`.
  [[nodiscard]] bool is_pinned(std::uint64_t chunk, right kept) const noexcept;
  [[nodiscard]] bool has_pins() const noexcept;
  /// A chunk that this thread pins, for reports; none: ~0.
  [[nodiscard]] std::uint64_t some_pinned() const noexcept;
  [[nodiscard]] bool pins_chunk(std::uint64_t chunk) const noexcept;
};

}  // namespace far::cached
