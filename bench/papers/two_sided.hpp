#pragma once
// Message passing as MPI libraries did it over InfiniBand in 2004, to compare one-sided transfers
// with on a simulated machine, where no MPI runs.
//
// - Eager, up to 8 KB: the sender copies the bytes into a buffer and puts them, with a signal, into
//   a slot at the receiver, which copies them out once it has asked for them. The send is over when
//   its buffer is filled.
// - Rendezvous, beyond that: request to send, clear to send with the place of the receiver's
//   buffer, a put with a signal. No copies.
// - Progress is made inside calls only, for all messages under way: whoever computes answers
// nobody.
// - Each call takes a time of its own, for matching and headers, which is fitted on the latency of
//   MPI in table 1 (work_ns_of).
//
// A receive takes the messages of one sender in their order; there are no tags. The network keeps
// the order of two puts, as all simulated machines do. Slots are given back in halves of the ring.
//
// Threads: one thread of the rank. Its rank has no service thread, or else handlers would run there
// while the rank computes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "far/far.hpp"

namespace far::bench {

class two_sided {
 public:
  static constexpr std::size_t max_eager_bytes = 8192;  ///< assumed: MVAPICH's default

  /// Collective. `work_ns`: what each call takes by itself. Its memory stays allocated.
  two_sided(world& world, std::uint64_t work_ns);
  two_sided(const two_sided&) = delete;
  two_sided& operator=(const two_sided&) = delete;

  /// A message under way.
  struct message;
  using request = std::shared_ptr<message>;

  /// Both sides must give the same number of bytes. Of large messages, at most 64 may be under way
  /// between two ranks, and the receiver's buffer lies in its segments.
  [[nodiscard]] request start_send(int to, std::span<const std::byte> from);
  [[nodiscard]] request start_receive(int from, std::span<std::byte> to);
  void wait(const request& of) { wait({&of, 1}); }
  /// For all of them.
  void wait(std::span<const request> all);
  void send(int to, std::span<const std::byte> from) { wait(start_send(to, from)); }
  void receive(int from, std::span<std::byte> to) { wait(start_receive(from, to)); }

  /// The time of packing or unpacking: of the program, or of a datatype.
  void charge_copy(std::uint64_t bytes, std::uint64_t rows) const;

 private:
  struct counters {  // of one peer
    std::uint64_t eager_sent = 0, eager_received = 0;
    std::uint64_t large_sent = 0, large_received = 0;
  };
  static constexpr std::uint64_t slots = 16;        ///< of eager messages
  static constexpr std::uint64_t large_slots = 64;  ///< of the words for large ones

  [[nodiscard]] ptr<std::byte> slot(ptr<std::byte> ring, int peer, std::uint64_t number) const;
  /// Where the signal of a large message from `peer` arrives; its value is the number plus 1.
  [[nodiscard]] ptr<std::uint64_t> completion(int peer, std::uint64_t number) const;
  [[nodiscard]] std::uint64_t peek(ptr<std::uint64_t> word) const;
  /// What the message waits for is there.
  [[nodiscard]] bool can_advance(const message& of) const;
  [[nodiscard]] bool can_advance_any() const;
  void advance(message& of);
  void advance_all();
  void take(const message& of);

  world& world_;
  std::uint64_t work_ns_;
  std::uint64_t kilobyte_ps_, row_ps_;
  ptr<std::byte> rings_;          ///< where messages arrive: a ring for each peer
  ptr<std::byte> outgoing_;       ///< copies of what is sent
  ptr<std::uint64_t> arrived_;    ///< eager messages from each peer
  ptr<std::uint64_t> completed_;  ///< of large messages from each peer: see completion
  ptr<std::uint64_t> taken_;      ///< by each peer, of the eager messages to it
  ptr<std::uint64_t> given_;      ///< what this rank has taken from each peer
  std::vector<counters> counters_;
  std::vector<request> under_way_;
};

/// What a call of MPI takes by itself on such a machine, in ns.
[[nodiscard]] std::uint64_t work_ns_of(std::string_view profile) noexcept;

}  // namespace far::bench
