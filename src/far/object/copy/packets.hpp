#pragma once
// Differences on their way to the home: a stream of packets (packet_format.hpp), each sent as soon
// as it is full, while the thread still compares.
//
// The home answers each packet when its changes are visible: a byte for each region, whether the
// rank may keep its copy.
//
// Source: oo-dsm-rdma.txt, section 5.1.

#include <cstdint>
#include <vector>

#include "far/fabric/message.hpp"
#include "far/object/copy/copy_table.hpp"
#include "far/object/copy/packet_format.hpp"
#include "far/object/heap/words.hpp"
#include "far/world/world.hpp"

namespace far::objects {

struct part;

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
  change_stream(part& of, const world& world, thread_record& me) noexcept
      : part_(&of), world_(world), me_(&me) {}

  /// Compares a copy with its twin and streams what differs.
  void add(copy& c);
  /// Sends what has been added.
  void send();
  /// Whether one packet is left, to this home and not yet sent; all others are acknowledged.
  [[nodiscard]] bool is_last_to(int home) const noexcept;
  /// Whether that packet has changes of a copy.
  [[nodiscard]] bool carries(const copy* c) const noexcept;
  /// Sends that packet, which a monitor message follows.
  void send_followed(std::uint64_t number);
  /// Sends, and waits until all homes have answered. Errors: rank_failed.
  void finish();

 private:
  void begin_packet(int home);
  void begin_region(copy& c);
  void put(const difference::found& cell);

  part* part_;
  const world& world_;
  thread_record* me_;
  change_packet* packet_ = nullptr;
  int home_ = -1;
  std::size_t region_at_ = 0;  // of the region's header in the packet
  std::size_t run_at_ = no_run;
};

/// A region that a packet has changed. `runs` are in the packet.
struct changed_region {
  std::uint64_t offset;
  std::uint64_t number;  ///< of the fetch that has brought the copy
  fabric::payload runs;
  bool goes_on;  ///< a packet before had changes of the same publication
};

/// The offsets of the regions that a packet changes. Errors: as apply_packet.
[[nodiscard]] std::vector<std::uint64_t> regions_of(fabric::payload packet);
/// The home's side, under part::mutex: applies a packet's changes, and returns what it has changed.
/// Errors: fabric_error for a packet that makes no sense.
[[nodiscard]] std::vector<changed_region> apply_packet(part& of, fabric::payload packet);

}  // namespace far::objects
