// A process that mpirun, srun or prun has started joins its job. The ranks of a machine share a
// mapping, which the first of them makes; the others open it through that process's descriptors.
//
// A process may join for one job after another, all with the same ranks: each has its number.
//
// Three exchanges: who and where everybody is; the mappings of the machines; and, if there is more
// than one machine, what the uplinks need (board.hpp).

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/shm/rank_signals.hpp"
#include "far/fabric/ucx/board.hpp"
#include "far/fabric/ucx/pmix_session.hpp"

namespace far::fabric::ucx {
namespace {

/// What a rank says first.
struct introduction {
  std::uint64_t fingerprint = 0;
  std::uint64_t key = 0;  // rank 0's is the job's
  std::uint64_t symmetric_bytes = 0;
  std::uint64_t local_bytes = 0;
  std::uint64_t nic_bytes = 0;
  std::array<char, 256> machine{};
};

/// Where a machine's mapping is.
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
    throw fabric_error(
        fmt::format("pmix: rank {} speaks otherwise: start all ranks from the same files", rank));
  }
  std::memcpy(&result, bytes.data(), sizeof(result));
  return result;
}

/// The host's name and its boot: hosts of one name are told apart.
std::string machine_name() {
  std::array<char, 128> host{};
  gethostname(host.data(), host.size() - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return fmt::format("{} {}", host.data(), boot);
}

/// Opens the mapping that another process of this machine has made.
shm::region open_mapping(const mapping_place& place) {
  const std::string path = fmt::format("/proc/{}/fd/{}", place.pid, place.descriptor);
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    throw fabric_error(fmt::format(
        "cannot open the memory of the job's first process on this machine ({}: {}): run all ranks "
        "of a machine as one user and in one container",
        path, std::strerror(errno)));
  }
  return shm::region::open(descriptor);
}

struct arrangement {
  std::vector<std::int32_t> nodes;  // by rank
  int nodes_in_all = 0;
  int leader = 0;  // first rank of this one's node
  int ranks_here = 0;
};

/// Numbers the machines in the order of their first ranks.
arrangement arrange(const std::vector<introduction>& all, int self) {
  arrangement result;
  std::map<std::string, int> known;
  for (const introduction& one : all) {
    const auto next = static_cast<int>(known.size());
    result.nodes.push_back(known.emplace(one.machine.data(), next).first->second);
  }
  result.nodes_in_all = static_cast<int>(known.size());
  const int own = result.nodes[static_cast<std::size_t>(self)];
  const auto first = std::find(result.nodes.begin(), result.nodes.end(), own);
  result.leader = static_cast<int>(first - result.nodes.begin());
  result.ranks_here = static_cast<int>(std::count(result.nodes.begin(), result.nodes.end(), own));
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

void join(pmix_session& session, const job_options& asked, const rank_body& body) {
  if (asked.ranks != 0 && asked.ranks != session.size()) {
    throw bad_argument(fmt::format("a job of {} ranks, in processes that were started as {}",
                                   asked.ranks, session.size()));
  }
  // First what each machine can give, then the least of it: heaps are of one size everywhere.
  introduction own;
  own.fingerprint = handlers_fingerprint();
  const std::string machine = base::environment_number("FAR_RANKS_PER_NODE", 0) == 1
                                  ? fmt::format("{} {}", session.rank(), machine_name())
                                  : machine_name();
  machine.copy(own.machine.data(), own.machine.size() - 1);
  job_options options = asked;
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
  const shm::rank_signals signals(job, session.rank());
  shm::run_rank(job, session.rank(), body);
}

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
  void meet() override { session_->meet(); }
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

extern "C" [[gnu::visibility("default")]] void far_join_by_pmix(
    const far::fabric::job_options& options, const far::fabric::rank_body& body) {
  far::fabric::ucx::pmix_session session;
  far::fabric::ucx::join(session, options, body);
}
