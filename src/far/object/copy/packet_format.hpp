#pragma once
// The form of packets of changes: to the home (packets.hpp), and from it (updates.hpp). They have
// at most 4 KB.
//
//   packet  {object, regions, followed}, then for each region
//           {offset in the home's memory, fetch, bytes, skipped, sequence},
//           then for each run {offset, bytes}, the bytes
//
// A run is one or more fields without a gap between them. Runs of a region are in ascending order.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "far/base/error.hpp"
#include "far/fabric/verbs.hpp"

namespace far::objects {

struct packet_header {
  std::uint32_t object;
  std::uint32_t regions;
  std::uint64_t followed =
      0;  ///< of changes: the monitor message behind them (followed_changes.hpp)
};
struct packet_region {
  std::uint64_t offset;
  std::uint64_t number;    ///< of the fetch that has brought the copy
  std::uint16_t bytes;     ///< of its runs
  std::uint16_t skipped;   ///< updates in place of that copy since its last one by message
  std::uint32_t sequence;  ///< of updates by message of that copy; of changes: 1 if they go on
};
struct packet_run {
  std::uint32_t offset;  ///< in the region
  std::uint32_t bytes;
};
static_assert(sizeof(packet_region) == 24 && sizeof(packet_run) == 8);

inline constexpr std::size_t max_packet_bytes = 4096;
static_assert(max_packet_bytes <= std::numeric_limits<decltype(packet_region::bytes)>::max());
inline constexpr std::size_t no_run = ~std::size_t{0};

template <class T>
std::size_t append(std::vector<std::byte>& to, const T& value) {
  const std::size_t at = to.size();
  to.resize(at + sizeof(T));
  std::memcpy(to.data() + at, &value, sizeof(T));
  return at;
}

/// Adds to a number of a struct that has been appended.
template <class T, class Number>
void grow(std::vector<std::byte>& in, std::size_t at, Number T::*member, std::uint32_t by) {
  T value;
  std::memcpy(&value, in.data() + at, sizeof(T));
  value.*member = static_cast<Number>(value.*member + by);
  std::memcpy(in.data() + at, &value, sizeof(T));
}

/// Appends a field to the run that begins at `run_at`, or to a new one, if that does not go on with
/// it (no_run: there is none). Returns how many bytes are added.
inline std::uint32_t append_field(std::vector<std::byte>& to, std::size_t& run_at,
                                  std::uint32_t offset, fabric::payload value) {
  const auto width = static_cast<std::uint32_t>(value.size());
  packet_run run{};
  if (run_at != no_run) std::memcpy(&run, to.data() + run_at, sizeof(run));
  const bool begins = run_at == no_run || run.offset + run.bytes != offset;
  if (begins) run_at = append(to, packet_run{offset, 0});
  to.insert(to.end(), value.begin(), value.end());
  grow(to, run_at, &packet_run::bytes, width);
  return width + (begins ? static_cast<std::uint32_t>(sizeof(packet_run)) : 0);
}

/// Takes a T off the front. Errors: fabric_error.
template <class T>
[[nodiscard]] T take(fabric::payload& from) {
  if (from.size() < sizeof(T)) throw fabric_error("object_space: a packet of changes is too short");
  T value;
  std::memcpy(&value, from.data(), sizeof(T));
  from = from.subspan(sizeof(T));
  return value;
}
/// Takes bytes off the front. Errors: fabric_error.
[[nodiscard]] inline fabric::payload take_bytes(fabric::payload& from, std::size_t bytes) {
  if (from.size() < bytes) throw fabric_error("object_space: a packet of changes is too short");
  const fabric::payload taken = from.first(bytes);
  from = from.subspan(bytes);
  return taken;
}

/// Calls visit(offset, bytes) for each run. Errors: fabric_error, also for one that does not lie in
/// the first `room` bytes of its region.
template <class Visit>
void for_each_run(fabric::payload runs, std::uint64_t room, Visit visit) {
  while (!runs.empty()) {
    const auto run = take<packet_run>(runs);
    const fabric::payload bytes = take_bytes(runs, run.bytes);
    if (std::uint64_t{run.offset} + run.bytes > room) {
      throw fabric_error("object_space: a packet changes bytes outside an object");
    }
    visit(run.offset, bytes);
  }
}

}  // namespace far::objects
