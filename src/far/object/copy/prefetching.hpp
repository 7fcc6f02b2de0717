#pragma once
// Fetches that threads start before they need the regions.
//
// A prefetch asks the home as any fetch does, but nobody waits, and the reply stays with the thread
// until it reads the region: then it waits for the rest, and goes on as if it had asked just now.
// Other threads do not wait for it; who needs the copy, fetches it.
//
// Invariants (all under part::mutex; those of copy_table.hpp hold, too):
//   1. copy::early is the number of the prefetch that may still be used; it is the copy's last
//      fetch, for the home. Another fetch of the copy, or a flush of it, ends that: the reply may
//      lack what came in between.
//   2. While it is set, the copy is not kept, not evicted, and not given up. Updates of it are
//      refused, and no verdict makes it kept (copy::missed).
//   3. The home forgets a prefetch that arrives after a later fetch by the same rank: nobody uses
//      the reply, and what the rank may do with its copy is what that other fetch was answered.
//   4. A prefetch is used only before its thread synchronizes next, so it is no older than a fetch
//      may be. A thread that synchronizes or is parked has none in flight: a collection meets no
//      message of one.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/object/copy/fetching.hpp"
#include "far/object/copy/reply_area.hpp"

namespace far::objects {

/// A prefetch of a thread, and its reply. Used again.
struct early_fetch : fabric::request {
  early_fetch() { on_reply = &keep; }

  place at;
  std::uint64_t number = 0;
  std::uint64_t began = 0;  ///< as a time of part::clock
  bool lands = false;       ///< the reply, in `area`; else it comes in a message
  reply_area area;
  fetch_reply reply{};
  std::vector<std::byte> data;

 private:
  static void keep(fabric::request& self, fabric::payload got) noexcept;
};

/// How many prefetches of a thread may be open at a time. More are ignored.
inline constexpr std::size_t max_early = 32;

/// Sends the request. `bytes`: of the region; 0: not known.
void start_fetch(const part& of, const world& view, early_fetch& early, std::size_t bytes);
/// Waits for the rest of a prefetch. If the reply lacks a part of the region, which was larger than
/// a message, `data` is null. Errors: rank_failed.
[[nodiscard]] fetched_region finish_fetch(const world& view, early_fetch& early, const copy& c);

}  // namespace far::objects
