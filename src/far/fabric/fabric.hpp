#pragma once
// The fabric: one rank's interface to the machine. It has five verbs (context.hpp), waiting and
// segments. A leaf (shm, sim, ...) implements these two abstract classes and job.hpp.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "far/base/function_ref.hpp"
#include "far/fabric/address.hpp"
#include "far/fabric/context.hpp"

namespace far::fabric {

/// Segments with a fixed meaning; the rest are for growth and other kinds of memory.
inline constexpr int symmetric_segment = 0;  ///< the same offsets on every rank
inline constexpr int local_segment = 1;      ///< each rank allocates for itself
inline constexpr int nic_segment = 2;        ///< symmetric, for words of amo_domain::nic
inline constexpr int static_segment = 3;     ///< the executable's static data, if the job shares it
/// Where the static data begin in their segment: offset 0 is null, and they are whole pages.
inline constexpr std::uint64_t static_data_offset = 4096;

/// Where the segments lie in a rank's window of memory; the same on every rank of a job.
struct segment_layout {
  std::array<std::uint64_t, address::max_segments> begin{};  ///< byte offset in the window
  std::array<std::uint64_t, address::max_segments> bytes{};  ///< capacity; 0: no such segment
  /// The symmetric segment begins at a multiple of this in the rank's own address space.
  std::uint64_t alignment = 4096;
};

/// What fabric::now() is.
enum class clock_kind : std::uint8_t {
  real,      ///< the machine's time
  modelled,  ///< of a simulated machine: what its operations cost, the same in each run
  none,      ///< it only orders what happens; nothing can be measured
};

/// One rank's end of the fabric. Thread-safe, except start/stop_service: only the thread that runs
/// the rank calls these.
class fabric {
 public:
  virtual ~fabric() = default;
  fabric(const fabric&) = delete;
  fabric& operator=(const fabric&) = delete;

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// Number of the machine that holds `rank`; ranks of one machine have the same number.
  [[nodiscard]] virtual int node_of(int rank) const noexcept = 0;
  [[nodiscard]] virtual int lanes() const noexcept = 0;
  [[nodiscard]] virtual std::size_t max_payload() const noexcept = 0;  ///< bytes of a message
  /// How many pieces of memory the network interface gathers for one message here, and scatters
  /// there, without a processor that copies: the landings of requests and the data of replies. 0:
  /// it cannot.
  [[nodiscard]] virtual int descriptor_segments() const noexcept { return 0; }
  /// Whether `op` on words of `bytes` bytes is one hardware operation in `domain`.
  [[nodiscard]] virtual bool native(amo_op op, int bytes, amo_domain domain) const noexcept = 0;

  // -- memory

  [[nodiscard]] const segment_layout& layout() const noexcept { return layout_; }
  /// Start of the window of `rank` if plain loads and stores reach it, else null.
  [[nodiscard]] std::byte* direct(int rank) const noexcept {
    return windows_ == nullptr ? nullptr : windows_[rank];
  }
  /// The same for one address; not checked against the extent.
  [[nodiscard]] std::byte* direct(address a) const noexcept {
    std::byte* window = direct(a.rank());
    return window == nullptr ? nullptr : window + window_offset(a);
  }
  /// This rank's own memory at `a` (a.rank() == rank()), for data that no other rank accesses at
  /// the same time. Words that others access meanwhile go through the verbs, even on this rank.
  [[nodiscard]] std::byte* local(address a) const noexcept { return own_ + window_offset(a); }
  /// The address of memory inside this rank's segments, or null for other memory. Static data have
  /// two places in this process: where the program has them, and where local() leads.
  [[nodiscard]] address address_of(const void* memory) const noexcept;
  /// Where the program has the static data that the segment holds from static_data_offset on; null:
  /// the job does not share them.
  [[nodiscard]] const std::byte* static_data() const noexcept { return static_data_; }
  /// While the result exists, the memory that local() and direct() have led to stays mapped, also
  /// after the job. What it holds then is undefined.
  [[nodiscard]] virtual std::shared_ptr<const void> keep_mapped() const { return nullptr; }
  /// True if the whole job is coherent memory of one machine: direct() reaches every rank, atomics
  /// of the processors are correct everywhere, and operations end inside the call that starts
  /// them. Then plain instructions do what amo does, and full_fence does what flush does.
  [[nodiscard]] bool coherent() const noexcept { return coherent_; }
  /// Whether atomics of the processors are correct at `a`, whether or not direct() reaches it.
  [[nodiscard]] virtual bool cpu_atomics(address a) const noexcept = 0;

  /// Bytes of `segment` at `rank` that are allocated: remote accesses may touch only these. For a
  /// rank of another node it may be the capacity; the verbs then check more precisely.
  [[nodiscard]] virtual std::uint64_t extent(int rank, int segment) const noexcept = 0;
  /// Raises or lowers this rank's own extent; heaps call it.
  virtual void set_extent(int segment, std::uint64_t bytes) = 0;
  /// Throws out_of_bounds unless [a, a + bytes) lies inside the extent of its segment.
  void check_bounds(address a, std::uint64_t bytes) const;
  /// The same, with the given extent.
  void check_bounds(address a, std::uint64_t bytes, std::uint64_t extent) const;
  /// Set by the layer that allocates memory: describes the allocation that a failed access was
  /// for. It returns an empty string if it does not know. Null: there is no such layer.
  std::string (*describe_access)(const fabric&, address, std::uint64_t bytes) = nullptr;

  // -- threads and time

  /// Opens a context for one more thread, which may be another than the caller; any thread may
  /// close it. At most max_contexts are open at a time, but for simulated ranks any number. Errors:
  /// bad_argument if all are in use. world/thread_context.hpp shares them then.
  [[nodiscard]] virtual std::unique_ptr<context> open_context() = 0;
  [[nodiscard]] virtual int max_contexts() const noexcept = 0;
  /// Runs body(i) for i in [0, n) on n threads (fibers in sim) and joins them; `caller` is the
  /// calling thread's context. Re-throws the first exception once all threads have ended. So a
  /// thread must not throw before it has released the threads of the group that wait for it (sim
  /// reports an error if they would wait forever).
  virtual void run_threads(context& caller, int n, base::function_ref<void(int)> body) = 0;
  /// Starts a thread that sleeps until messages arrive and then runs their handlers, unless it runs
  /// already. It ends when stop_service has been called as often.
  virtual void start_service() = 0;
  virtual void stop_service() = 0;
  /// To call before the memory that handlers use is destroyed: afterwards no handler runs, and no
  /// operation that handlers have started accesses their memory.
  virtual void end_handlers() { stop_service(); }
  /// Nanoseconds since the job started; virtual in sim.
  [[nodiscard]] virtual std::uint64_t now() const noexcept = 0;
  [[nodiscard]] virtual clock_kind clock() const noexcept { return clock_kind::real; }
  /// Whether the machine is not this one: then this process's processors, and what its instructions
  /// cost, say nothing of it, and ranks take turns at their calls of the fabric.
  [[nodiscard]] bool simulated() const noexcept { return clock() != clock_kind::real; }
  /// Cost of some work of the library's own code, for context::charge. `figure` is its name in the
  /// profile of a simulated machine. Returns 0 if the profile does not have it or the clock is
  /// real. Searches by name, so keep the result.
  [[nodiscard]] virtual std::uint64_t work_cost_ps(
      [[maybe_unused]] std::string_view figure) const noexcept {
    return 0;
  }

  // -- the job

  /// Whether the fabric itself ends a job in which no rank can continue, as a simulation does.
  [[nodiscard]] virtual bool reports_deadlock() const noexcept { return false; }
  /// Throws rank_failed if a rank of the job has failed.
  virtual void check_job() const = 0;
  /// Fails the job, as a handler that throws does. For completions, which must not throw.
  virtual void fail_job(const std::exception_ptr& why) noexcept = 0;
  /// Whether this rank knows that the job has failed: a call of one of its threads has thrown.
  [[nodiscard]] bool knows_failure() const noexcept {
    return knows_failure_.load(std::memory_order_relaxed);
  }
  /// For leaves: call it before throwing rank_failed.
  void note_failure() const noexcept { knows_failure_.store(true, std::memory_order_relaxed); }
  /// Collective. Returns when every rank has called it and no message is in flight anywhere: all
  /// handlers, tasks, replies and operations of the lanes' contexts have ended.
  virtual void quiesce(context& caller) = 0;
  /// The per-rank object of the layer above; handlers get it from message::owner.
  void* owner = nullptr;

 protected:
  fabric(int rank, int size) noexcept : rank_(rank), size_(size) {}

  // Leaves set these before the rank's body runs.
  segment_layout layout_;
  std::byte* own_ = nullptr;
  std::byte* const* windows_ = nullptr;  ///< null, or [size], of which entries may be null
  /// Where the program has the static data that the segment begins with; null: there is none.
  const std::byte* static_data_ = nullptr;
  bool coherent_ = false;

 private:
  [[nodiscard]] std::uint64_t window_offset(address a) const noexcept {
    return layout_.begin[static_cast<std::size_t>(a.segment())] + a.offset();
  }

  int rank_;
  int size_;
  mutable std::atomic<bool> knows_failure_ = false;
};

}  // namespace far::fabric
