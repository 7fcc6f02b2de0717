#include "session.hpp"

#include <list>
#include <vector>

namespace far::python {
namespace {

/// What is left of sessions whose ranks were still in their jobs: its destruction communicates
/// until they have left.
class leftovers {
 public:
  void keep(const far::world& world, std::map<std::uint64_t, std::unique_ptr<structure>> all) {
    const std::scoped_lock lock(mutex_);
    of_.emplace_back(world, std::move(all));
  }
  void clear() {
    const std::scoped_lock lock(mutex_);
    std::erase_if(of_, [](const auto& one) { return one.first.state().ended(); });
  }

 private:
  std::mutex mutex_;
  std::list<std::pair<far::world, std::map<std::uint64_t, std::unique_ptr<structure>>>> of_;
};

/// Never destroyed: a process may end anywhere in a job.
leftovers& left_over() {
  static auto* const all = new leftovers;
  return *all;
}

}  // namespace

std::shared_ptr<session> session::of(const far::world& world, bool holds_all) {
  auto made = std::make_shared<session>(world, holds_all);
  world.state().get<session_of_rank>().in = made;
  return made;
}

session::session(const far::world& world, bool holds_all)
    : rank_(world.rank()),
      size_(world.size()),
      holds_all_(holds_all),
      main_(std::make_shared<lane>(world)),
      mail_(world),
      answers_(world) {
  left_over().clear();
  if (!holds_all) second_context_ = world.fabric().open_context();
}

session::~session() {
  if (!dropped_.empty() && !main_->world.state().ended()) {
    left_over().keep(main_->world, std::move(dropped_));
  }
}

session::own_lane::own_lane(session& in, const far::world& view)
    : in_(in), of_(PyThreadState_Get()), lane_(std::make_shared<lane>(view)) {
  in_.others_.emplace_back(of_, lane_);
}

session::own_lane::~own_lane() {
  std::erase_if(in_.others_, [this](const auto& one) { return one.first == of_; });
  const std::scoped_lock turn(lane_->turn);
  lane_->has_ended = true;
}

far::world session::second_view() const {
  return far::world(main_->world.state(), *second_context_, 1);
}

void session::collect(const far::world& world) {
  std::vector<std::uint64_t> mine;
  {
    const std::scoped_lock lock(dropping_);
    for (const auto& [id, it] : dropped_) mine.push_back(id);
  }
  std::map<std::uint64_t, int> by;
  for (const std::uint64_t id : far::allgatherv(world, mine)) ++by[id];
  for (const auto& [id, ranks] : by) {
    if (ranks != size_) continue;
    std::unique_ptr<structure> it;
    {
      const std::scoped_lock lock(dropping_);
      it = std::move(dropped_[id]);
      dropped_.erase(id);
    }
    it.reset();
  }
}

void session::drop(std::uint64_t id, std::unique_ptr<structure> it) noexcept {
  const std::scoped_lock lock(dropping_);
  dropped_.emplace(id, std::move(it));
}

void session::end() noexcept {
  if (ended_.exchange(true)) return;
  inlines_.end();
  std::vector<std::shared_ptr<lane>> all{main_};
  for (const auto& [thread, one] : others_) all.push_back(one);
  const nb::gil_scoped_release release;
  // Who is in the middle of something comes to its end.
  for (const auto& one : all) const std::scoped_lock turn(one->turn);
  second_context_.reset();
}

void session::throw_ended() { throw job_ended("the job has ended"); }
void session::throw_not_main() {
  throw bad_argument(
      "this is for the rank's own thread: not for those of world.threads, nor in a call");
}
void session::throw_thread_ended() { throw job_ended("the thread that made this call has ended"); }

}  // namespace far::python
