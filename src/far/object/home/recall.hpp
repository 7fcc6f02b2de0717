#pragma once
// Taking back the data of regions that have migrated (region_directory.hpp).
//
//   recall     forward, home -> owner; from a thread of the home, a request
//   give_back  request, thread of the owner -> home: answered when the region has been recalled
//
// The answer to a recall is a packet of changes (packet_format.hpp): what in the owner's copies
// differs from their twins. Its header has the number of packets in place of the object's. If there
// are more, the owner makes them at the same time, and the home asks for each by another recall.
//
// Source: oo-dsm-rdma.txt, section 5.1. There the home itself moves.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "far/fabric/message.hpp"
#include "far/homes/registry.hpp"
#include "far/object/outbox.hpp"

namespace far::objects {

struct part;

struct recall_message {
  homes::object_id object;
  std::uint32_t packet;
  std::uint64_t number;  ///< of the recall, among those of its home
  std::uint32_t count;   ///< of offsets, which follow; for packet 0
  std::uint32_t unused = 0;

  static void receive(const std::shared_ptr<part>& of, const recall_message& header,
                      fabric::message& message);
};
struct give_back_message {
  homes::object_id object;
  std::uint64_t offset;

  static void receive(const std::shared_ptr<part>& of, const give_back_message& header,
                      fabric::message& message);
};

/// Packets that a home has not asked for yet, by its rank and the number of the recall.
struct handed_back {
  std::vector<std::vector<std::byte>> packets;
  std::size_t left = 0;
};
using handed_back_packets = std::map<std::pair<int, std::uint64_t>, handed_back>;

/// The home's side, under part::mutex: appends a region to what is recalled from a rank.
void add_recall(const part& of, outbox& out, int rank, std::uint64_t offset);
/// `mine`: null on a lane's context.
void send_recall(part& of, fabric::context& context, recalled_regions&& regions, thread_work* mine);

}  // namespace far::objects
