#include "shmem/runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <far/base/error.hpp>
#include <far/fabric/job.hpp>
#include <far/rma/flush.hpp>
#include <far/team/barrier.hpp>

#include "shmem/function.hpp"
#include "shmem/locks.hpp"
#include "shmem/places.hpp"
#include "shmem/process.hpp"

namespace far::shmem {
namespace {

/// Which lane the thread has, of which runtime. A lane goes back when its thread ends.
struct thread_lane {
  runtime* of = nullptr;
  std::uint64_t number = 0;
  lane* mine = nullptr;

  ~thread_lane() {
    if (mine != nullptr && runtime::find() == of && number == process::here().runtimes) {
      of->give_back(*mine);
    }
  }
};
thread_local thread_lane lane_of_thread;

}  // namespace

runtime::runtime(int threads)
    : job_(fabric::join_options{.static_data = true}),
      pe_(job_.world().rank()),
      pes_(job_.world().size()),
      threads_(threads),
      checked_(std::getenv("SHMEM_DEBUG") != nullptr),
      main_(job_.world()) {
  lane_of_thread = {};  // this thread has main_
  thread_ = std::this_thread::get_id();
  // Where instructions reach all memory, no operation needs its target.
  serves_ = !world().fabric().coherent();
  if (serves_) world().fabric().start_service();
  open_places(world(), checked_);
  make_teams();
}

void runtime::make_teams() {
  team_world.members = far::team::of(world());
  team_world.rank = pe_;
  team_world.size = pes_;
  team_shared = team_world;
  bool is_one_node = true;
  for (int pe = 0; pe < pes_; ++pe) is_one_node &= world().node_of(pe) == world().node_of(0);
  if (is_one_node) return;
  team_shared.members = team_world.members.split(world(), world().node_of(pe_));
  describe(team_shared, pes_);
}

runtime::~runtime() {
  close_places();
  for (auto& [key, context] : contexts) context.reset();
  teams.clear();
  sets.clear();
  close_lanes();
}

void runtime::leave() {
  check_no_lock_held();
  close_places();
  world().fabric().check_job();
  destroy_contexts(nullptr);
  quiet(world());
  far::barrier(world());
  {
    const std::scoped_lock lock(mutex);
    teams.clear();
    sets.clear();
  }
  team_shared.members = {};
  team_world.members = {};
  close_lanes();
  if (std::exchange(serves_, false)) world().fabric().stop_service();
  job_.leave();
}

runtime* runtime::find() noexcept { return process::here().only.get(); }

runtime& runtime::get() {
  if (runtime* const only = find()) return *only;
  throw bad_argument(process::here().runtimes == 0
                         ? "OpenSHMEM is not initialized: call shmem_init first"
                         : "called after the last shmem_finalize");
}

lane& runtime::own_lane() {
  if (!is_threaded() || std::this_thread::get_id() == thread_) return main_;
  thread_lane& here = lane_of_thread;
  if (here.mine == nullptr || here.of != this || here.number != process::here().runtimes) {
    here.of = this;
    here.number = process::here().runtimes;
    here.mine = &take_lane();
  }
  return *here.mine;
}

std::unique_ptr<fabric::context> runtime::open_context() {
  // One context is the job's own, and the service thread has another.
  const auto own = static_cast<std::size_t>(std::max(world().fabric().max_contexts() - 3, 0));
  if (lanes_.size() < own) return world().fabric().open_context();
  if (common_ == nullptr) {
    common_ = std::make_unique<common_context>(world().fabric().open_context());
  }
  return std::make_unique<shared_context>(*common_);
}

lane& runtime::take_lane() {
  const std::scoped_lock lock(mutex_);
  if (free_.empty()) {
    lanes_.push_back(std::make_unique<lane>(world().state(), open_context()));
    return *lanes_.back();
  }
  lane* const taken = free_.back();
  free_.pop_back();
  return *taken;
}

void runtime::give_back(lane& used) {
  const std::scoped_lock lock(mutex_);
  // Taken from the end: those with a context of their own first.
  const bool shares = common_ != nullptr && used.context().index() == common_->own->index();
  free_.insert(shares ? free_.begin() : free_.end(), &used);
}

void runtime::close_lanes() {
  if (common_ != nullptr) common_->own.reset();
  lanes_.clear();
}

far_shmem_team& runtime::member_made_team(const strided_set& of) {
  const std::scoped_lock lock(mutex);
  std::unique_ptr<far_shmem_team>& made = sets[of];
  if (made == nullptr) {
    std::vector<int> pes;
    for (int i = 0; i < of.size; ++i) pes.push_back(of.start + i * of.stride);
    made = std::make_unique<far_shmem_team>();
    made->members = far::team::of_members(world(), pes);
    describe(*made, pes_);
  }
  return *made;
}

process& process::here() noexcept {
  static auto* const the = new process;  // never destroyed: a process may end anywhere in a job
  return *the;
}

void end_job(const char* function, const std::exception& why) noexcept {
  std::fflush(stdout);
  const runtime* const only = runtime::find();
  const bool is_known = dynamic_cast<const rank_failed*>(&why) != nullptr;
  if (is_known && fabric::launcher_reports()) std::_Exit(EXIT_FAILURE);
  if (only != nullptr) {
    std::fprintf(stderr, "%s: PE %d: %s\n", function, only->pe(), why.what());
  } else {
    std::fprintf(stderr, "%s: %s\n", function, why.what());
  }
  std::fflush(stderr);
  if (only == nullptr) std::_Exit(EXIT_FAILURE);
  exit_job(EXIT_FAILURE);
}

}  // namespace far::shmem
