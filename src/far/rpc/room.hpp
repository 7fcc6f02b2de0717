#pragma once
// What the rpc room keeps per rank: large arguments and results that wait in this rank's memory
// until the other side has fetched them, and failures of one-way calls.
//
// Threads: safe; a mutex, taken on the paths of large data and failures only.
// Ownership: a keeper's bytes belong to this table from keep() to drop(). Arguments are dropped by
// the requester when the reply is there; results by a release message from the requester.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "far/fabric/context.hpp"
#include "far/world/world.hpp"

namespace far::detail {

/// Bytes that lie in the memory of the rank that speaks of them.
struct kept_bytes {
  fabric::address place;
  std::uint64_t bytes = 0;
};

class rpc_room {
 public:
  explicit rpc_room(rank_state& state) : state_(&state) {}
  ~rpc_room();
  rpc_room(const rpc_room&) = delete;
  rpc_room& operator=(const rpc_room&) = delete;

  /// Room for `bytes` in the local segment. Errors: out_of_memory.
  [[nodiscard]] kept_bytes keep(std::uint64_t bytes);
  /// Where to write them.
  [[nodiscard]] std::byte* memory_of(const kept_bytes& kept) const noexcept;
  /// Returns them to the heap; false if nothing is kept there.
  bool drop(fabric::address place);

  /// Tells the rank that keeps a result that it has been fetched. Never waits: what finds no
  /// credit now goes out with the next one, or with send_postponed.
  void release(fabric::context& context, fabric::address place);
  /// Sends releases that found no credit; waits for it.
  void send_postponed(fabric::context& context);

  /// Owns what lanes' contexts write into, lest it leak when the job fails meanwhile.
  void hold(std::shared_ptr<void> object);
  /// Lets go of it. Null if nothing like that is held.
  [[nodiscard]] std::shared_ptr<void> let_go(const void* object);

  /// A one-way call failed here, and nobody waits for it.
  void note_failure(std::exception_ptr failure);
  /// The first failure since the last call of this, or null.
  [[nodiscard]] std::exception_ptr take_failure();

 private:
  [[nodiscard]] std::vector<fabric::address> take_postponed();

  rank_state* state_;
  std::mutex mutex_;
  std::unordered_set<std::uint64_t> kept_;  // addresses as bits
  std::unordered_map<const void*, std::shared_ptr<void>> held_;
  std::vector<fabric::address> postponed_;
  std::exception_ptr failure_;
};

/// Whether a context is a lane's own, which runs tasks and queues what it cannot send.
[[nodiscard]] bool is_lane(const fabric::context& context) noexcept;

}  // namespace far::detail
