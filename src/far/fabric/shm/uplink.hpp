#pragma once
// The way to ranks of other nodes: what a fabric that stands on this one adds to it. Ranks of one
// node share a mapping; for all others a rank asks its uplink. It is a library of its own, loaded
// when a job has more than one node.

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

/// One rank's uplink. `context` is the index of the context that calls, whose thread it is; what
/// an operation began on it ends inside progress(context) of the same one. Addresses and sizes
/// are checked by the caller, and every rank named is of another node, but for those of flush and
/// of atomics on words of the nic segment, and where it is said.
class uplink {
 public:
  uplink() = default;
  virtual ~uplink() = default;
  uplink(const uplink&) = delete;
  uplink& operator=(const uplink&) = delete;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// Collective: meets the other ranks' uplinks. Errors: fabric_error.
  virtual void join() = 0;
  /// Collective: returns when no rank needs this one any more, or when the job has failed.
  virtual void leave() = 0;

  // The verbs, as in fabric/context.hpp. All parts of a put go to one rank.
  virtual void put(int context, std::span<const put_part> parts, completion* done,
                   completion* source, const signal* after) = 0;
  virtual void get(int context, const get_part& part, completion* done) = 0;
  virtual void amo(int context, const amo_request& request, completion* done) = 0;
  /// `rank` may be all_ranks.
  virtual void flush(int context, int rank, completion* done) = 0;

  /// Sends a record of message_ring.hpp, which `to` finds in its ring; false for want of credit.
  virtual bool send(const send_request& message, const record_header& header) = 0;
  /// Sends a reply's record behind its data, which go to the landings.
  virtual void reply(int context, const reply_token& token, const record_header& header,
                     payload inline_bytes, std::span<const gather> data) = 0;
  /// A message from `source` has been handled: its credit may go back.
  virtual void handled(int source, message_class kind) noexcept = 0;
  /// A reply has come that nobody asked for.
  virtual void refuse_reply() noexcept = 0;

  /// Moves bytes for the whole rank, and ends operations of `context`. True if there were any,
  /// or if messages have come.
  virtual bool progress(int context) = 0;
  /// Whether progress(context) has operations to end. Any thread may ask.
  [[nodiscard]] virtual bool has_ended(int context) const noexcept = 0;
  /// Whether nothing that `context` started is under way.
  [[nodiscard]] virtual bool quiet(int context) const noexcept = 0;
  /// Forgets what `context` has under way, if anything: neither its completions nor the memory
  /// that it reads into are touched any more.
  virtual void abandon(int context) noexcept = 0;
  /// The job has failed: when this returns, no memory of the program is touched any more.
  virtual void stand_still() noexcept = 0;

  /// A context polls from here on (+1), or does so no more (-1); `sleeps`: for it waits for its
  /// bell, or has done so.
  virtual void attend(int change, bool sleeps) noexcept = 0;

  /// What is known here of fabric::extent; 0 before somebody has asked.
  [[nodiscard]] virtual std::uint64_t extent(int rank, int segment) const noexcept = 0;
  /// Asks `rank` for its extents.
  virtual void ask_extents(int context, int rank, completion* done) = 0;

  virtual void quiesce(context& caller) = 0;
};

/// Loads the library and makes the uplink of a rank. Errors: fabric_error.
[[nodiscard]] std::unique_ptr<uplink> open_uplink(rank_fabric& home);

/// Whether the library is there.
[[nodiscard]] bool has_uplink() noexcept;

/// After how long a rank or a machine of which nothing is heard has failed; 0: never.
/// Errors: bad_argument.
[[nodiscard]] std::uint64_t peer_timeout_s();

/// Whether mpirun, srun or prun has started this process, by PMIx, which the same library knows.
/// PMIx's variables stay, for MPI in this process needs them too. So FAR_PMIX_MEMBER tells the
/// programs that a rank starts that they are no ranks.
[[nodiscard]] bool started_by_pmix() noexcept;
/// This process is a rank of that job.
void note_pmix_member();
/// This process as a rank of that job. options.ranks: 0, or what the job must have.
[[nodiscard]] std::unique_ptr<membership> join_by_pmix(const job_options& options);
/// Has the launcher end that job with a status, if this process is in it.
void abort_by_pmix(int status) noexcept;

}  // namespace far::fabric::shm
