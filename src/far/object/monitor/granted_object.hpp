#pragma once
// The monitored object, piggybacked on the grant of its monitor: a thread that enters mostly reads
// the object, and then need not fetch it.
//
// It is the content of a listed copy that the directory does not know. It serves as the reply to a
// fetch that has begun when the thread asked for the monitor, but the thread comes to it only in
// the monitor, and the rank's copy is not busy meanwhile: others of the rank may use it, or be in
// the monitor.
//
// Invariants (those of copy_table.hpp hold, too):
//   1. It is taken for the reply to a fetch only by the thread that has entered, before that leaves
//      or synchronizes, and only if no fetch of the copy, no flush and no collection have begun
//      since it was asked for (copy::begun, part::forgotten). So no value replaces a later one: of
//      two threads of the rank, the one that is granted the monitor first is out of it when
//      the other one is in. And no reference leads to what has been collected.
//   2. It is asked for only while the copy is not kept and not busy, or with changes that the home
//      makes visible first (followed_changes.hpp).
//   3. It has no number (copy::number is 0 then), and when the home sends it, it forgets a listed
//      copy of the rank. A verdict on a change names the copy: so this one does not become kept,
//      and nobody waits for its revocation or its update. A region may migrate although there are
//      such copies; a change of one recalls it first.
//   4. The home reads it under its mutex after the monitor has passed on to the thread. It need not
//      tell its own threads: what they publish later, the thread may see after it has synchronized.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "far/fabric/message.hpp"
#include "far/object/heap/region.hpp"
#include "far/object/monitor/monitor_table.hpp"

namespace far::objects {

/// Larger objects are fetched. The home copies the object into each grant, also for threads that do
/// not read it; up to about this size that costs little beside the message (protocol_choice.hpp).
inline constexpr std::size_t max_granted_bytes = 512;

/// Valid until the thread leaves the monitor, or synchronizes.
struct granted_object {
  std::uint64_t place = 0;   ///< 0: there is none
  std::uint64_t coming = 0;  ///< likewise, of one that is for after the thread's next refresh
  std::uint64_t asked = 0;   ///< when it was asked for, as a time of part::clock
  std::size_t bytes = 0;     ///< of the data
  region_header header{};
  alignas(8) std::array<std::byte, max_granted_bytes> data;
};

/// The home's side, under part::mutex: appends a region's header and data, unless it is too large,
/// or the rank may keep a copy.
void append_object(part& of, std::uint64_t offset, int rank, std::vector<std::byte>& to);

/// A request for a monitor, and its reply: a monitor_answer, then a header and data, or nothing.
struct pending_grant : fabric::request {
  static constexpr std::size_t max_bytes =
      sizeof(monitor_answer) + sizeof(region_header) + max_granted_bytes;

  explicit pending_grant(granted_object& into) noexcept : object(&into) { on_reply = &keep; }

  monitor_answer answer = monitor_answer::refused;
  bool has_object = false;

 private:
  granted_object* object;
  static void keep(fabric::request& self, fabric::payload got) noexcept;
};

}  // namespace far::objects
