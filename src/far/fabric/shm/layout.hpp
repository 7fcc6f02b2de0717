#pragma once
// The layout of the memory that the ranks of an shm job share. One mapping holds all of it:
//
//   job_header | rank 0: rank_block, rings, segments | rank 1: ... | ... | roster, if any
//
// Every word that two ranks access is atomic; a comment next to it names its writer. The mapping
// starts as zeros, which is a valid empty state of everything except the geometry.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "far/base/cores.hpp"
#include "far/fabric/address.hpp"
#include "far/fabric/job.hpp"

namespace far::fabric::shm {

inline constexpr std::size_t cache_line = 64;
// User and service contexts, and the lanes' own: one bit each in a 64-bit mask.
inline constexpr int all_contexts = max_contexts + max_lanes;
static_assert(all_contexts <= 64);
inline constexpr std::uint64_t job_magic = 0x32302d626f6a7261;
inline constexpr std::size_t max_payload = 8192;

/// Sizes that are fixed before the first rank starts. Not atomic: only the creator writes them.
struct geometry {
  std::int32_t ranks = 1;
  std::int32_t lanes = 1;
  std::int32_t contexts = 16;
  std::int32_t service = 0;         // 1: each rank starts its service thread
  std::int32_t ranks_per_node = 0;  // size of nodes with an uplink between them; 0: one node
  std::int32_t job_ranks = 0;       // ranks of all mappings, if there is a roster; 0: no roster
  std::int32_t static_data = 0;     // 1: each rank shares its static data (static_data.hpp)
  std::uint64_t symmetric_bytes = 0;
  std::uint64_t local_bytes = 0;
  std::uint64_t nic_bytes = 0;
};

/// A message is a record of one or more cells in a ring. A cell has a head and a body.
inline constexpr std::uint64_t request_cells = 2048;
inline constexpr std::uint64_t reply_cells = 1024;
inline constexpr std::size_t head_bytes = 2 * cache_line;
inline constexpr std::size_t body_bytes = cache_line;

constexpr std::size_t bytes_of_ring(std::uint64_t cells) noexcept {
  return cells * (head_bytes + body_bytes);
}

/// Many producers, one consumer at a time; see message_ring.hpp.
struct ring_header {
  alignas(cache_line) std::atomic<std::uint64_t> tail;  // producers
  std::atomic<std::uint64_t> head_seen;                 // producers; their copy of head
  alignas(cache_line) std::atomic<std::uint64_t> head;  // consumer
  std::atomic<std::uint32_t> space_wanted;              // producers set, consumer clears
};

/// One context of a rank, 0 .. contexts-1 for threads, max_contexts .. for lanes.
struct context_block {
  alignas(cache_line) std::atomic<std::uint32_t> doorbell;  // futex; wakers increment it
  std::atomic<std::uint32_t> waiting;                       // owner: 1 while wait_* are valid
  std::atomic<std::uint64_t> sent;                          // owner; see quiesce.cpp
  std::atomic<std::uint64_t> handled;                       // owner
  std::array<std::atomic<std::uint64_t>, 4> wait_what;      // owner: text, zero-padded
  std::atomic<std::int32_t> wait_rank;
  alignas(cache_line) std::atomic<std::uint64_t> wait_word;
  std::atomic<std::uint64_t> wait_since_ns;
  ring_header replies;
};

enum class rank_stage : std::uint32_t { absent, joined, finished };

/// A rank's card contains what the uplinks of other ranks need to reach it.
inline constexpr std::size_t max_card_bytes = 16384;

/// One rank.
struct rank_block {
  alignas(cache_line) std::atomic<std::uint64_t> sleeping;  // owner; a bit per context
  std::atomic<std::uint64_t> service;                       // owner; the service context's bit
  alignas(cache_line) std::atomic<rank_stage> stage;        // owner
  std::atomic<std::int32_t> pid;                            // owner
  std::atomic<std::int32_t> jobs;                           // owner; jobs that it has left
  std::array<std::atomic<std::uint64_t>, address::max_segments> extents;  // owner
  std::array<context_block, all_contexts> contexts;
  std::array<ring_header, max_lanes> requests;
  std::array<ring_header, max_lanes> forwards;
  std::array<std::byte, max_card_bytes> card;  // owner, before it sets card_bytes
  std::atomic<std::uint32_t> card_bytes;
};

/// A rank of a job that launchers of several machines have started together. The rank writes its
/// card in the mapping of its machine, the launchers of other machines write it in theirs.
struct roster_entry {
  std::int32_t node;  // creator
  std::atomic<std::uint32_t> card_bytes;
  std::array<std::byte, max_card_bytes> card;  // before card_bytes
};

/// How a failure is reported to processes that cannot share an exception.
enum class failure_kind : std::uint32_t {
  other,
  bad_argument,
  out_of_memory,
  out_of_bounds,
  fabric_error,
  rank_died,
  job_ended,  ///< no failure: a rank has ended the job (exit_job)
};

/// What decides whether waits spin (patience.hpp), for all ranks of a machine. If several mappings
/// hold these, they use one of them (region::share_load).
struct machine_load {
  std::atomic<std::int32_t> users;  // contexts that threads of the program use
  /// Where the ranks may run; each adds its own.
  std::array<std::atomic<std::uint64_t>, base::processor_set::words_in_all> processors;
};

/// The same ranks may form several jobs, one after the other. Counters of ranks are not reset: in
/// job number n, all ranks have joined when `joined` is n times their number.
struct job_header {
  std::uint64_t magic;
  std::uint64_t layout_hash;  // of the sizes of these structs, to reject launchers of other builds
  std::uint64_t key;          // random; data that arrive over a network must carry it
  geometry shape;
  std::int32_t launcher_pid;
  std::int32_t node;                       // whose mapping this is, if there is a roster
  std::atomic<std::uint64_t> start_ns;     // steady clock; creator
  std::atomic<std::uint64_t> fingerprint;  // of the first rank that has joined
  std::atomic<std::int32_t> fingerprint_rank;
  // What the first rank that has joined shares of static data: the job's number in the upper 16
  // bits, then a fingerprint (rank_fabric::check_static_data).
  std::atomic<std::uint64_t> static_image;
  std::atomic<std::int32_t> joined;
  std::atomic<std::int32_t> cards;      // ranks that have published their cards
  std::atomic<std::int32_t> left;       // ranks that no longer need other ranks
  std::atomic<std::int32_t> all_cards;  // launcher; jobs whose roster is complete
  std::atomic<std::int32_t> all_left;   // launcher; jobs that every rank has left
  std::atomic<std::int32_t> finished;
  std::atomic<std::uint32_t>
      rendezvous_count;                // futex; arrivals at rendezvous outside jobs (pmix_join.cpp)
  std::atomic<std::int32_t> departed;  // launcher; rank + 1 of the first that ended outside a job
  alignas(cache_line) std::atomic<std::uint64_t> quiesce_arrived;
  std::atomic<std::uint64_t> quiesce_done;
  // The first failure: claimed by compare-and-swap, then written, then published.
  alignas(cache_line) std::atomic<std::uint32_t> failure_claimed;  // rank + 1
  std::atomic<std::uint32_t> failed;                               // rank + 1
  failure_kind kind;
  std::int32_t exit_status;             // for job_ended
  std::array<char, 2048> failure_text;  // zero-terminated
  alignas(cache_line) machine_load load;
  // Threads of ranks of this mapping that sleep in waits for plain memory.
  alignas(cache_line) std::atomic<std::uint32_t> plain_sleepers;
};

// The mapping contains the header, then for each rank its block, its rings and its segments, which
// begin at multiples of window_alignment in the job's memory and in every process.

inline constexpr std::size_t page = 4096;
/// OpenSHMEM programs ask for memory of such alignment, and huge pages for a part of it.
inline constexpr std::size_t window_alignment = std::size_t{8} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

inline constexpr std::size_t header_bytes = round_up(sizeof(job_header), page);
inline constexpr std::size_t block_bytes = round_up(sizeof(rank_block), page);
inline constexpr std::size_t ring_bytes =
    2 * max_lanes * bytes_of_ring(request_cells) + all_contexts * bytes_of_ring(reply_cells);
inline constexpr std::size_t control_bytes = round_up(block_bytes + ring_bytes, page);
/// Where the first rank's block lies.
inline constexpr std::size_t first_area =
    round_up(header_bytes + control_bytes, window_alignment) - control_bytes;

/// The memory of a ring, which follows the block of its rank.
inline std::byte* request_ring(rank_block& rank, int lane) noexcept {
  return reinterpret_cast<std::byte*>(&rank) + block_bytes +
         static_cast<std::size_t>(lane) * bytes_of_ring(request_cells);
}
inline std::byte* forward_ring(rank_block& rank, int lane) noexcept {
  return request_ring(rank, max_lanes + lane);
}
inline std::byte* reply_ring(rank_block& rank, int context) noexcept {
  return request_ring(rank, 2 * max_lanes) +
         static_cast<std::size_t>(context) * bytes_of_ring(reply_cells);
}

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(sizeof(ring_header) == 2 * cache_line);
static_assert(sizeof(context_block) % cache_line == 0);

}  // namespace far::fabric::shm
