#pragma once
// Updates: what a home sends to the ranks that keep copies of a region when it has been changed
// (E6), in packets as those that changes come in. One message for each rank has all regions of a
// publication, or as many as fit in 4 KB.
//
// The rank answers each packet when its copies have the changes: a byte for each region
// (update_answer).
//
// Source: oo-dsm-rdma.txt, section 5.2, alternative 2. There, diffs wait in an array until their
// target polls it; here they are active messages. There, all ranks are told.

#include <vector>

#include "far/fabric/message.hpp"
#include "far/object/copy/packet_format.hpp"
#include "far/object/heap/words.hpp"
#include "far/object/outbox.hpp"

namespace far::objects {

/// The home's side, under part::mutex: appends changes of a region to what is sent to a rank.
void add_update(const part& of, outbox& out, int rank, packet_region region, fabric::payload runs);
void send_update(part& of, fabric::context& context, update_packet&& packet);

/// Fields that have changed, as the runs of packets of at most `room` bytes.
class run_writer {
 public:
  explicit run_writer(std::size_t room) noexcept : room_(room) {}

  void put(const difference::found& field);
  [[nodiscard]] std::vector<std::vector<std::byte>> finish() { return std::move(pieces_); }

 private:
  std::size_t room_;
  std::size_t run_at_ = no_run;
  std::vector<std::vector<std::byte>> pieces_;
};

}  // namespace far::objects
