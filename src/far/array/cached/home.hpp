#pragma once
// The directory of a rank's own chunks: who has which right, and who waits for one.
//
// A chunk is Unshared (no other rank has a right to it), Shared (others read it), Dirty (one other
// rank may write it), Operated (others combine operands of one operator) or Direct (others access
// single elements in the home's memory, one-sided). The home's own right stands in its cache; it is
// compatible with the others' at all times. Requests are served one at a time for each chunk, in
// the order in which they arrive: the rights that stand in the way are recalled, all at once, and
// when the last answer is there, the request is granted. (darray.txt, section 4.4. A rank drops a
// copy that it only reads without telling the home: a recall names the request by which the rank
// got the right, and if that has been dropped, the rank says so. Any other eviction is a request,
// too, for no right: the home answers by a recall.)

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "far/array/cached/access.hpp"
#include "far/array/cached/locality.hpp"
#include "far/array/cached/outbox.hpp"

namespace far::cached {

struct part;

class home {
 public:
  explicit home(part& of) noexcept : part_(&of) {}

  /// A want that has arrived.
  struct request {
    int rank;
    right what;
    const operation* op;
    fabric::address line;
    std::uint64_t number;
    std::uint64_t copy;
    bool may_choose;
  };
  void wanted(outbox& out, std::uint64_t chunk, request r, const fill_report& report);
  /// The data of an answer to a recall: new values, or combined operands. None: no change.
  void returned(const recall& what, std::span<const std::byte> data);
  /// A rank has answered a recall; its data have been taken.
  void answered(outbox& out, const recall& what, bool refused);
  /// The home's own right is revoked.
  void revoked_own(outbox& out, std::uint64_t chunk);

 private:
  struct holder {
    int rank;
    std::uint64_t number;  ///< of its last request that was granted
  };
  struct entry {
    right held = right::none;       ///< by the holders
    const operation* op = nullptr;  ///< of right::operate
    std::vector<holder> holders;    ///< other ranks; of a Shared chunk, some may have dropped it
    std::vector<request> requests;
    int awaited = 0;  ///< answers to recalls for the first request
  };

  void serve(outbox& out, std::uint64_t chunk, entry& e);
  void recall_for(outbox& out, std::uint64_t chunk, entry& e, const request& r);
  void grant_to(outbox& out, std::uint64_t chunk, entry& e, const request& r);
  void settle_own_right(outbox& out, std::uint64_t chunk, const entry& e);

  part* part_;
  region_choices choices_;
  std::unordered_map<std::uint64_t, entry> entries_;  // absent: Unshared, and the home may write
};

}  // namespace far::cached
