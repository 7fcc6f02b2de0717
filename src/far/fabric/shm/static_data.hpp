#pragma once
// The static data of the executable (.data and .bss, not those of shared objects) as memory of the
// job: pages of this rank's window are mapped over them, with their content kept. So other ranks
// reach them as any segment, while the program uses its variables as before. Why it is done so:
// docs/decisions/0022-static-data.md.
//
// Which pages: the writable load segments of the executable, as the program headers give them, less
// the pages that the dynamic linker makes read-only after relocation (PT_GNU_RELRO).
//   - The first page may also hold the end of what the linker places before .data: the entries of
//     .got.plt that are bound lazily. They stay this process's own: each rank maps a page of its
//     own window, so its copy keeps what was there, and goes on to be written by this process's
//     linker.
//   - The last page ends with the page of .bss's end. What follows .bss there is unused: the kernel
//     begins the heap (brk) at the next page.
//
// Threads: while static_data is constructed or destroyed, no other thread may change the variables.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/shm/region.hpp"

namespace far::fabric::shm {

/// Where the static data of this executable are.
struct static_image {
  struct piece {
    std::byte* begin;  ///< of a page
    std::size_t bytes;
  };
  std::vector<piece> pieces;  ///< ascending; usually one
  /// Equal in all processes of one executable, wherever it is loaded.
  std::uint64_t fingerprint = 0;

  /// From the first piece to the end of the last.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(pieces.back().begin + pieces.back().bytes -
                                    pieces.front().begin);
  }
};

/// Finds them. Errors: fabric_error if there are none, or pages are not of shm::page bytes.
[[nodiscard]] static_image find_static_image();

/// While it exists, the static data of this executable are a part of this rank's window. The
/// destructor gives the program pages of its own again, with the content of that time. A process
/// that this one forks gets pages of its own at once.
class static_data {
 public:
  /// Maps what is in `job` at `place`, zeroed memory of the window of this process's rank, over the
  /// image. Errors: fabric_error.
  static_data(const region& job, std::byte* place, static_image image);
  ~static_data();
  static_data(const static_data&) = delete;
  static_data& operator=(const static_data&) = delete;

 private:
  int descriptor_;
  std::size_t file_offset_;  // of the first piece
  static_image image_;
};

/// Where a rank shares other static data than those that joined before it; {}: the rank.
inline constexpr const char* other_static_data =
    "rank {} shares other static data than ranks that joined before it: start all ranks from the "
    "same executable, and share the static data of all ranks or of none";

/// In a process that has just been forked from a rank: lets its static data be its own, as those of
/// any fork, so that what it writes does not reach the rank.
void keep_static_data_to_fork() noexcept;

}  // namespace far::fabric::shm
