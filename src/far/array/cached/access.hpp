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

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace far::cached {

struct operation;

/// What a rank may do with a chunk. `write` includes reading, and applying any operator.
enum class right : std::uint8_t { none, read, write, operate };

/// A chunk's word: the address of its first element, and rights. Zero: none.
class chunk_word {
 public:
  static constexpr std::uint64_t readable = std::uint64_t{1} << 62;
  static constexpr std::uint64_t writable = std::uint64_t{1} << 63;

  constexpr explicit chunk_word(std::uint64_t bits = 0) noexcept : bits_(bits) {}
  chunk_word(std::byte* data, right what) noexcept
      : bits_(what == right::write  ? address(data) | readable | writable
              : what == right::read ? address(data) | readable
                                    : 0) {}

  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  [[nodiscard]] bool can_read() const noexcept { return (bits_ & readable) != 0; }
  [[nodiscard]] bool can_write() const noexcept { return (bits_ & writable) != 0; }
  [[nodiscard]] std::byte* data() const noexcept {
    return reinterpret_cast<std::byte*>(bits_ & (readable - 1));
  }

 private:
  static std::uint64_t address(std::byte* data) noexcept {
    return reinterpret_cast<std::uint64_t>(data);
  }
  std::uint64_t bits_;
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

/// Where a thread combines operands of one chunk; no line: it may not.
struct operand_line {
  std::atomic<std::byte*> data;
  std::atomic<const operation*> operand_of;  ///< valid while there is a line

  /// The line if it is for `op`, or null. For the thread itself, during an access.
  [[nodiscard]] std::byte* of(const operation* op) const noexcept {
    std::byte* const line = data.load(std::memory_order_acquire);
    return operand_of.load(std::memory_order_relaxed) == op ? line : nullptr;
  }
};

/// A thread's record. Only this thread writes `accessed`; whoever revokes a right writes `notice`.
struct alignas(128) thread_record {
  explicit thread_record(std::uint64_t chunks) : operands(chunks) {}

  std::atomic<std::uint64_t> accessed{0};  ///< the chunk's number + 1 during an access; else 0
  std::atomic<std::uint32_t> notice{0};    ///< call the slow path after this access
  sparse_table<operand_line> operands;
  std::vector<std::uint64_t> pinned;  ///< chunks; used by the thread itself alone
};

}  // namespace far::cached
