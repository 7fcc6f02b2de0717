#pragma once
// The word of a copy that its home may write in place: who may touch the copy and its twin at
// present.
//
//   closed    this rank: it fetches, compares, makes a twin; or the copy is not kept
//   ready     nobody; there is no twin
//   twinned   nobody; there is one, which an update must change, too
//   open      the home: an update is under way
//
// The word names the fetch that brought the copy, so a home that knows only an older one, or a copy
// that is gone, finds another word.
//
// Invariants:
//   1. This rank changes the word only under part::mutex, and never while it is open: it waits.
//   2. The home opens the word by a compare-and-swap from ready or twinned, and makes it what it
//      was when all its writes are visible. It has one update of a copy under way at a time, of
//      either kind (region_directory.hpp, invariant 9).
//   3. While the word is closed, or open, nobody else compares the copy with its twin, or writes
//      the twin. Threads of the rank read and write their fields of the copy at any time.
//   4. The word is ready or twinned when the copy is kept, and neither busy nor owned. It may be,
//      for as long as it takes this rank to notice, if the copy was revoked while the word was
//      open; but then the home does not open it any more.
//   5. The word of a new copy begins closed, whatever its memory has: that may have been part of
//      the twin of a copy whose region has been collected. No home writes the word then. A copy is
//      evicted only while its word is closed, and a collection finds no update under way. After it,
//      homes know no copies, so none tries to open an earlier word that a new copy's twin covers.
//
// The word is of the domain cpu: this rank uses instructions, and so does its processor on behalf
// of a home that does not reach it by instructions.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace far::objects {

class update_word {
 public:
  enum class state : std::uint64_t { closed, ready, twinned, open };
  /// What it takes, before the twin.
  static constexpr std::size_t room = 16;

  explicit update_word(std::byte* twin) noexcept
      : word_(*reinterpret_cast<std::uint64_t*>(twin - room)) {}

  [[nodiscard]] static std::uint64_t value(std::uint64_t number, state s) noexcept {
    return number << 2 | static_cast<std::uint64_t>(s);
  }
  [[nodiscard]] static bool is_open(std::uint64_t value) noexcept {
    return (value & 3) == static_cast<std::uint64_t>(state::open);
  }

  /// Closes the word of a new copy (invariant 5).
  void begin() noexcept { word_.store(value(0, state::closed)); }
  /// Closes the word unless it is open; returns whether it did.
  [[nodiscard]] bool close() noexcept {
    std::uint64_t seen = word_.load();
    while (!is_open(seen)) {
      if (word_.compare_exchange_weak(seen, value(seen >> 2, state::closed))) return true;
    }
    return false;
  }
  /// Lets the home write in place, unless it is doing so.
  void offer(std::uint64_t number, bool has_twin) noexcept {
    if (close()) word_.store(value(number, has_twin ? state::twinned : state::ready));
  }

 private:
  std::atomic_ref<std::uint64_t> word_;
};

}  // namespace far::objects
