#pragma once
// Differences on their way to the home: a stream of packets of at most 4 KB, each sent as soon as
// it is full, while the thread still compares.
//
//   packet  {object, regions}, then for each region
//           {offset in the home's memory, bytes}, then for each run {offset, bytes}, the bytes
//
// The home answers each packet when its changes are visible: a byte for each region, whether the
// rank may keep its copy.
//
// Source: oo-dsm-rdma.txt, section 5.1.

#include <cstdint>
#include <vector>

#include "far/fabric/message.hpp"
#include "far/object/copies.hpp"
#include "far/object/words.hpp"
#include "far/world/world.hpp"

namespace far::objects {

struct part;

struct packet_header {
  std::uint32_t object;
  std::uint32_t regions;
};
struct packet_region {
  std::uint64_t offset;
  std::uint32_t bytes;  ///< of its runs
  std::uint32_t unused;
};
struct packet_run {
  std::uint32_t offset;  ///< in the region
  std::uint32_t bytes;
};

inline constexpr std::size_t max_packet_bytes = 4096;

/// A packet and, while it is in flight, its request.
struct change_packet : fabric::request {
  std::vector<std::byte> bytes;
  std::vector<copy*> regions;
  std::vector<std::byte> verdicts;
  part* of = nullptr;
  fabric::context* context = nullptr;
  std::uint32_t* in_flight = nullptr;  ///< the thread's count
  bool used = false;
};

/// A thread's stream to all homes. The copies that it is given are busy with a flush.
class change_stream {
 public:
  change_stream(part& of, const world& view, thread_record& me) noexcept
      : part_(&of), view_(view), me_(&me) {}

  /// Compares a copy with its twin and streams what differs.
  void add(copy& c);
  /// Sends what has been added.
  void send();
  /// Sends, and waits until all homes have answered. Errors: rank_failed.
  void finish();

 private:
  void begin_packet(int home);
  void begin_region(copy& c);
  void put(const difference::found& cell);

  part* part_;
  const world& view_;
  thread_record* me_;
  change_packet* packet_ = nullptr;
  int home_ = -1;
  std::size_t region_at_ = 0;  // of the region's header in the packet
  std::size_t run_at_ = 0;     // 0: none
};

/// The home's side: applies a packet's changes and appends the regions. Errors: fabric_error for a
/// packet that makes no sense.
void apply_packet(part& of, fabric::payload packet, std::vector<std::uint64_t>& regions);

}  // namespace far::objects
