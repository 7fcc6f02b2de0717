#pragma once
// The interface to ranks of other nodes, which a fabric on top of this one implements. Ranks of one
// node share a mapping; a rank reaches all others through its uplink. The uplink is in a separate
// library, which is loaded if a job has more than one node.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "far/fabric/context.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/shm/message_ring.hpp"

namespace far::fabric::shm {

class rank_fabric;

/// One rank's uplink. `context` is the index of the calling context, on whose thread the call runs;
/// an operation that it starts ends inside progress(context) of the same context. The caller
/// checks addresses and sizes. Every rank argument is of another node, except for flush, for
/// atomics on words of the nic segment, and where stated.
class uplink {
 public:
  uplink() = default;
  virtual ~uplink() = default;
  uplink(const uplink&) = delete;
  uplink& operator=(const uplink&) = delete;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// Collective: rendezvous with the other ranks' uplinks. Errors: fabric_error.
  virtual void join() = 0;
  /// Collective: returns when no rank needs this uplink any more, or when the job has failed.
  virtual void leave() = 0;

  // The verbs, as in fabric/context.hpp. All parts of a put go to one rank; `source` counts it only
  // if it still reads the caller's memory, so the caller begins and ends an operation of it after.
  virtual void put(int context, std::span<const put_part> parts, completion* done,
                   completion* source, const signal* after) = 0;
  virtual void get(int context, const get_part& part, completion* done) = 0;
  virtual void amo(int context, const amo_request& request, completion* done) = 0;
  /// `rank` may be all_ranks or every_context.
  virtual void flush(int context, int rank, completion* done) = 0;

  /// Sends a record of message_ring.hpp to the target's ring; false if there is no credit.
  virtual bool send(const send_request& message, const record_header& header) = 0;
  /// Writes a reply's data to the landings, then sends its record.
  virtual void reply(int context, const reply_token& token, const record_header& header,
                     payload inline_bytes, std::span<const gather> data) = 0;
  /// Notes that a message from `source` has been handled: its credit may be returned.
  virtual void handled(int source, message_class kind) noexcept = 0;
  /// Notes that a reply has arrived for which no request is open.
  virtual void refuse_reply() noexcept = 0;

  /// Makes progress for the whole rank, and completes operations of `context`. True if there were
  /// any, or if messages have arrived.
  virtual bool progress(int context) = 0;
  /// Whether progress(context) has operations to complete. Any thread may call it.
  [[nodiscard]] virtual bool has_ended(int context) const noexcept = 0;
  /// Whether no operation of `context` is in flight.
  [[nodiscard]] virtual bool quiet(int context) const noexcept = 0;
  /// Drops the operations of `context` that are in flight: neither their completions nor the memory
  /// that they read into are accessed any more.
  virtual void abandon(int context) noexcept = 0;
  /// For a job that has failed: when it returns, no memory of the program is accessed any more.
  virtual void stop_memory_access() noexcept = 0;

  /// Notes that a context starts (+1) or stops (-1) polling. `sleeps`: it stops to wait for its
  /// doorbell, or starts after it has done so.
  virtual void attend(int change, bool sleeps) noexcept = 0;

  /// The last known fabric::extent; 0 before the first request_extents.
  [[nodiscard]] virtual std::uint64_t extent(int rank, int segment) const noexcept = 0;
  /// Requests the extents of `rank`.
  virtual void request_extents(int context, int rank, completion* done) = 0;

  virtual void quiesce(context& caller) = 0;
};

/// Loads the library and makes the uplink of a rank. Errors: fabric_error.
[[nodiscard]] std::unique_ptr<uplink> open_uplink(rank_fabric& home);

/// Whether the library can be loaded.
[[nodiscard]] bool has_uplink() noexcept;

/// The number of seconds after which a silent rank or machine counts as failed; 0: never.
/// Errors: bad_argument.
[[nodiscard]] std::uint64_t peer_timeout_s();

/// Whether mpirun, srun or prun has started this process as a rank of a PMIx job. PMIx's variables
/// stay set, because MPI in this process needs them too. FAR_PMIX_MEMBER distinguishes a rank from
/// programs that it starts.
[[nodiscard]] bool started_by_pmix() noexcept;
/// Marks this process as a rank of that job, in FAR_PMIX_MEMBER.
void note_pmix_member();
/// Joins that job as one of its ranks. options.ranks: 0, or the number that the job must have.
[[nodiscard]] std::unique_ptr<membership> join_by_pmix(const job_options& options);
/// Makes the launcher end that job with a status, if this process is in it.
void abort_by_pmix(int status) noexcept;

}  // namespace far::fabric::shm
