#pragma once
// What the rpc layer keeps per rank: large arguments and results that stay in this rank's memory
// until the other side has fetched them, and failures of one-way calls.
//
// Threads: safe; a mutex, locked only for large data and failures.
// Ownership: kept bytes belong to this table from keep() to drop(). The caller drops arguments when
// the reply has arrived; a release message from the caller drops results.

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

/// Bytes in the memory of the rank that sends this.
struct kept_bytes {
  fabric::address place;
  std::uint64_t bytes = 0;
};

class rpc_store {
 public:
  explicit rpc_store(rank_state& state) : state_(&state) {}
  ~rpc_store();
  rpc_store(const rpc_store&) = delete;
  rpc_store& operator=(const rpc_store&) = delete;

  /// Allocates `bytes` in the local segment. Errors: out_of_memory.
  [[nodiscard]] kept_bytes keep(std::uint64_t bytes);
  /// Where to write kept bytes.
  [[nodiscard]] std::byte* memory_of(const kept_bytes& kept) const noexcept;
  /// Frees kept bytes. Returns false if nothing is kept there.
  bool drop(fabric::address place);

  /// Tells the rank that keeps a result that it has been fetched. Never waits: releases without a
  /// credit are sent with the next one, or by send_postponed.
  void release(fabric::context& context, fabric::address place);
  /// Sends the releases that had no credit; waits for credits.
  void send_postponed(fabric::context& context);

  /// Owns an object that a lane's context writes into, so that it does not leak if the job fails.
  void hold(std::shared_ptr<void> object);
  /// Gives up ownership. Returns null if the object is not held.
  [[nodiscard]] std::shared_ptr<void> release_held(const void* object);

  /// Records the failure of a one-way call that ran here.
  void note_failure(std::exception_ptr failure);
  /// The first failure since the last call of this function, or null.
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

}  // namespace far::detail
