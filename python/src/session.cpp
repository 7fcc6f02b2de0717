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

void mailbox::deliver(message what) {
  const std::scoped_lock lock(mutex_);
  messages_.push_back(std::move(what));
  arrived_.notify_one();
}

std::optional<mailbox::message> mailbox::receive() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [&] { return closed_ || !messages_.empty(); });
  if (closed_) return std::nullopt;
  message next = std::move(messages_.front());
  messages_.pop_front();
  return next;
}

void mailbox::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  arrived_.notify_all();
}

std::shared_ptr<session> session::of(const far::world& world, bool holds_all) {
  auto made = std::make_shared<session>(world, holds_all);
  world.state().get<session_of_rank>().in = made;
  return made;
}

session::session(const far::world& world, bool holds_all)
    : rank_(world.rank()), size_(world.size()), holds_all_(holds_all), main_{world, {}} {
  left_over().clear();
  // A simulated rank, or a thread that is a rank, runs calls where they arrive.
  if (holds_all) return;
  second_context_ = world.fabric().open_context();
  second_ = std::make_unique<lane>(far::world(world.state(), *second_context_, 1));
}

session::~session() {
  if (!dropped_.empty() && !main_.world.state().ended()) {
    left_over().keep(main_.world, std::move(dropped_));
  }
}

void session::enter_thread() {
  check();
  second_thread_ = std::this_thread::get_id();
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
  mail_.close();
  const std::scoped_lock turn(main_.turn);
  if (!second_) return;
  // Its lane stays: its thread may be about to take its turn, and finds that the job has ended.
  const std::scoped_lock other(second_->turn);
  second_context_.reset();
}

void session::throw_ended() { throw job_ended("the job has ended"); }

}  // namespace far::python
