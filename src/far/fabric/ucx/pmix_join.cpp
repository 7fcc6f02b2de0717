// A process that mpirun, srun or prun has started joins its job. The ranks of a machine share a
// mapping. The first of them creates it; the others open it through that process's descriptors.
//
// A process may join several jobs, one after another, all with the same ranks. Jobs are numbered.
//
// To join takes three exchanges: the introductions of all ranks; the mappings of the machines; and,
// if there is more than one machine, the uplinks' cards (board.hpp).

#include <dlfcn.h>
#include <fcntl.h>
#include <pmix.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/function_ref.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/member.hpp"
#include "far/fabric/shm/proc.hpp"
#include "far/fabric/ucx/board.hpp"
#include "far/fabric/ucx/pmix_session.hpp"

namespace far::fabric::ucx {
namespace {

/// The first data that a rank publishes.
struct introduction {
  std::uint64_t fingerprint = 0;
  std::uint64_t key = 0;  // rank 0's is the job's
  std::uint64_t symmetric_bytes = 0;
  std::uint64_t local_bytes = 0;
  std::uint64_t nic_bytes = 0;
  std::array<char, 256> machine{};
  std::array<char, 256> node{};  // equal to machine, unless each rank is to be its own node
};

/// Where to open a machine's mapping.
struct mapping_place {
  std::int64_t pid = 0;
  std::int32_t descriptor = -1;
  std::int32_t padding = 0;
};

template <class T>
void put(pmix_session& session, const char* what, const T& value) {
  session.put(what, std::as_bytes(std::span(&value, 1)));
}

template <class T>
T get(pmix_session& session, int rank, const char* what) {
  const std::vector<std::byte> bytes = session.get(rank, what);
  T result;
  if (bytes.size() != sizeof(result)) {
    throw fabric_error(fmt::format(
        "pmix: rank {} uses another format: start all ranks from the same files", rank));
  }
  std::memcpy(&result, bytes.data(), sizeof(result));
  return result;
}

/// The host's name and its boot id, which distinguishes hosts of the same name.
std::string machine_name() {
  std::array<char, 128> host{};
  gethostname(host.data(), host.size() - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return fmt::format("{} {}", host.data(), boot);
}

/// What to do if a process of this machine has a mapping that this one cannot open.
const char* advice_on(pid_t pid) {
  const char state = shm::process_state(pid);
  if (kill(pid, 0) != 0 && errno == ESRCH) {
    return "that process has ended; start one program that uses libfar per mpirun, and let it end "
           "only after its job";
  }
  if (state == 'Z' || state == 'X') {
    return "its main thread has ended (pthread_exit); keep that thread until the job's end";
  }
  return "run all ranks of a machine as one user and in one container";
}

/// Opens the mapping that another process of this machine has made.
shm::region open_mapping(const mapping_place& place) {
  const std::string path = fmt::format("/proc/{}/fd/{}", place.pid, place.descriptor);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    const int why = errno;
    throw fabric_error(fmt::format(
        "cannot open the memory of the job's first process on this machine ({}: {}): {}", path,
        std::strerror(why), advice_on(static_cast<pid_t>(place.pid))));
  }
  return shm::region::open(descriptor);
}

struct arrangement {
  std::vector<std::int32_t> nodes;  // by rank
  int nodes_in_all = 0;
  int leader = 0;  // first rank of this rank's node
  int ranks_here = 0;
  int first_of_machine = 0;
  int ranks_of_machine = 0;
};

/// Numbers the nodes in the order of their first ranks.
arrangement arrange(const std::vector<introduction>& all, int self) {
  arrangement result;
  std::map<std::string, int> known;
  for (const introduction& one : all) {
    const auto next = static_cast<int>(known.size());
    result.nodes.push_back(known.emplace(one.node.data(), next).first->second);
  }
  result.nodes_in_all = static_cast<int>(known.size());
  const int own = result.nodes[static_cast<std::size_t>(self)];
  const auto first = std::find(result.nodes.begin(), result.nodes.end(), own);
  result.leader = static_cast<int>(first - result.nodes.begin());
  result.ranks_here = static_cast<int>(std::count(result.nodes.begin(), result.nodes.end(), own));
  const auto near = [&](const introduction& one) {
    return one.machine == all[static_cast<std::size_t>(self)].machine;
  };
  result.first_of_machine =
      static_cast<int>(std::find_if(all.begin(), all.end(), near) - all.begin());
  result.ranks_of_machine = static_cast<int>(std::count_if(all.begin(), all.end(), near));
  return result;
}

shm::region share_mapping(pmix_session& session, const arrangement& places,
                          const shm::geometry& shape, std::uint64_t key) {
  if (session.rank() != places.leader) {
    session.exchange();
    return open_mapping(get<mapping_place>(session, places.leader, "mapping"));
  }
  shm::region job = shm::region::create(shape);
  job.header().key = key;
  put(session, "mapping", mapping_place{getpid(), job.descriptor(), 0});
  session.exchange();
  return job;
}

struct joined {
  shm::region job;
  std::unique_ptr<shm::region> of_first;  // of the machine's first rank, if that is another
  int ranks_of_machine;
};

joined join(pmix_session& session, const job_options& asked) {
  if (asked.ranks != 0 && asked.ranks != session.size()) {
    throw bad_argument(fmt::format("a job of {} ranks, in processes that were started as {}",
                                   asked.ranks, session.size()));
  }
  // Each rank publishes the heap sizes that its machine allows; all then use the min of each.
  introduction own;
  own.fingerprint = handlers_fingerprint();
  const std::string machine = machine_name();
  machine.copy(own.machine.data(), own.machine.size() - 1);
  const bool apart = base::environment_number("FAR_RANKS_PER_NODE", 0) == 1;
  const std::string node = apart ? fmt::format("{} {}", session.rank(), machine) : machine;
  node.copy(own.node.data(), own.node.size() - 1);
  job_options options = asked;
  options.static_data = false;  // of this job only: later ones may use the same mapping
  options.ranks = session.local_size();
  shm::geometry shape = shm::geometry_of(options);
  own.symmetric_bytes = shape.symmetric_bytes;
  own.local_bytes = shape.local_bytes;
  own.nic_bytes = shape.nic_bytes;
  own.key = shm::random_key();
  put(session, "introduction", own);
  session.exchange();
  std::vector<introduction> all;
  for (int rank = 0; rank < session.size(); ++rank) {
    all.push_back(get<introduction>(session, rank, "introduction"));
    if (all.back().fingerprint != all.front().fingerprint) {
      throw fabric_error(fmt::format(
          "rank {} is of a different build than rank 0: start all ranks from the same files",
          rank));
    }
    shape.symmetric_bytes = std::min(shape.symmetric_bytes, all.back().symmetric_bytes);
    shape.local_bytes = std::min(shape.local_bytes, all.back().local_bytes);
    shape.nic_bytes = std::min(shape.nic_bytes, all.back().nic_bytes);
  }
  const arrangement places = arrange(all, session.rank());
  shape.ranks = places.ranks_here;
  const bool uplink = places.nodes_in_all > 1 || shape.ranks_per_node > 0;
  shape.ranks_per_node = uplink ? places.ranks_here : 0;
  shm::region job = share_mapping(session, places, shape, all.front().key);
  job.place(places.nodes, places.nodes[static_cast<std::size_t>(session.rank())]);
  joined result{std::move(job), nullptr, places.ranks_of_machine};
  if (places.first_of_machine != places.leader) {
    result.of_first = std::make_unique<shm::region>(
        open_mapping(get<mapping_place>(session, places.first_of_machine, "mapping")));
    result.job.share_load(*result.of_first);
  }
  return result;
}

/// A rendezvous of the ranks of a machine, between jobs. PMIx cannot do this: if one rank's session
/// ends while another already waits for all in the next session, PMIx reports the rank as lost.
/// Rendezvous n is over when the count reaches n * ranks. `what_else` is called ten times a second;
/// true ends the wait.
void rendezvous(const shm::region& job, int number, int ranks,
                base::function_ref<bool()> what_else) {
  constexpr std::uint64_t poll_interval_ns = 100'000'000;
  std::atomic<std::uint32_t>& count = job.header().rendezvous_count;
  const auto all = static_cast<std::uint32_t>(number * ranks);
  std::uint32_t seen = count.fetch_add(1, std::memory_order_seq_cst) + 1;
  shm::wake_sleepers(count);
  while (seen < all) {
    shm::sleep_on(count, seen, poll_interval_ns);
    seen = count.load(std::memory_order_seq_cst);
    if (seen < all && what_else()) return;
  }
}

/// Keeps PMIx initialized from the first job to the end of the process, if it also has MPI or runs
/// many jobs: after the end of a session, the server of PMIx 4.2 may lose a rank that connects
/// again, and then MPI_Init never returns. A process that ends inside a job does not finalize PMIx.
class process_session {
 public:
  process_session() { PMIx_Init(nullptr, nullptr, 0); }
  ~process_session() {
    if (pmix_session::current() == nullptr) PMIx_Finalize(nullptr, 0);
  }
  process_session(const process_session&) = delete;
  process_session& operator=(const process_session&) = delete;
};

bool has_mpi() noexcept { return dlsym(RTLD_DEFAULT, "MPI_Init") != nullptr; }

class stopwatch {
 public:
  /// Whether more than limit_s seconds have passed; never if that is 0.
  [[nodiscard]] bool beyond(std::uint64_t limit_s) const {
    return limit_s > 0 && std::chrono::steady_clock::now() - began_ > std::chrono::seconds(limit_s);
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// The mapping of a job of one machine, kept for the process's next job, which then needs no
// exchange. Each process has its own.
struct kept_mapping {
  int descriptor;
  int rendezvous_count;
};
std::optional<kept_mapping> kept;

/// Opens the kept mapping for the next job. Errors: fabric_error.
shm::region meet_again(const pmix_session& session) {
  constexpr int lowest = 3;
  shm::region job = shm::region::open(fcntl(kept->descriptor, F_DUPFD_CLOEXEC, lowest));
  const stopwatch waiting;
  const auto lost = [&] {
    for (int rank = 0; rank < session.size(); ++rank) {
      const pid_t pid = job.rank(rank).pid.load(std::memory_order_relaxed);
      const char state = shm::process_state(pid);
      if (state != 0 && state != 'Z') continue;
      throw fabric_error(fmt::format("rank {} {}", rank, shm::left_without_joining));
    }
    if (waiting.beyond(session.start_timeout_s())) session.throw_late();
    return false;
  };
  rendezvous(job, ++kept->rendezvous_count, session.size(), lost);
  return job;
}

class pmix_member final : public membership {
 public:
  explicit pmix_member(const job_options& asked)
      : is_described_(asked.ranks != 0), keeps_pmix_(is_described_ || has_mpi()) {
    if (keeps_pmix_) keep_pmix();
    if (kept && !is_described_) {
      in_.emplace(meet_again(*session_), session_->rank(), true, asked.static_data);
      return;
    }
    joined places = join(*session_, asked);
    first_ = std::move(places.of_first);
    ranks_of_machine_ = places.ranks_of_machine;
    in_.emplace(std::move(places.job), session_->rank(), true, asked.static_data);
  }

  [[nodiscard]] fabric& own() noexcept override { return in_->own(); }
  void leave() override {
    in_->leave();
    session_.reset();
    if (is_described_) return;
    const shm::region& job = in_->job();
    if (job.shape().ranks_per_node > 0) return await_ended_sessions();
    constexpr int lowest = 3;
    if (!kept) kept = kept_mapping{fcntl(job.descriptor(), F_DUPFD_CLOEXEC, lowest), 0};
    job.clear_segments(in_->own().rank());
  }
  void fail(const std::exception_ptr& why) noexcept override { in_->fail(why); }

 private:
  static void keep_pmix() { static const process_session of_process; }

  /// Waits until all ranks of the machine have ended their sessions: the next job begins with
  /// exchanges.
  void await_ended_sessions() const {
    const stopwatch waiting;
    // A rank that is late has died; the launcher reports that.
    rendezvous(first_ ? *first_ : in_->job(), 1, ranks_of_machine_,
               [&] { return waiting.beyond(shm::peer_timeout_s()); });
  }

  bool is_described_;  // by the program's job_options, which may differ for the next job
  bool keeps_pmix_;
  std::optional<pmix_session> session_{std::in_place};
  std::unique_ptr<shm::region> first_;  // mapping of the machine's first rank, if it is another
  int ranks_of_machine_ = 0;
  std::optional<shm::process_member> in_;
};

class pmix_board final : public board {
 public:
  explicit pmix_board(pmix_session& session) : session_(&session) {}

  void exchange(std::span<const std::byte> card) override {
    session_->put("card", card);
    session_->exchange();
  }
  [[nodiscard]] std::vector<std::byte> card(int rank) override {
    return session_->get(rank, "card");
  }
  void rendezvous() override { session_->rendezvous(); }
  [[nodiscard]] bool is_of_one_machine() const noexcept override { return false; }
  [[nodiscard]] bool is_supervised() const noexcept override { return false; }

 private:
  pmix_session* session_;
};

}  // namespace

std::unique_ptr<board> make_board(shm::rank_fabric& home) {
  if (pmix_session* const session = pmix_session::current()) {
    return std::make_unique<pmix_board>(*session);
  }
  return home.job().shape().job_ranks > 0 ? make_roster_board(home) : make_shared_board(home);
}

}  // namespace far::fabric::ucx

extern "C" [[gnu::visibility("default")]] far::fabric::membership* far_join_by_pmix(
    const far::fabric::job_options& options) {
  return new far::fabric::ucx::pmix_member(options);
}

extern "C" [[gnu::visibility("default")]] void far_abort_by_pmix(int status) {
  if (auto* const session = far::fabric::ucx::pmix_session::current()) session->abort(status);
}
