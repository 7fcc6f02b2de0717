#include "bindings/c/session.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "bindings/c/status.hpp"

namespace far::c {
namespace {

/// The one handle that the process keeps. Never destroyed: a process may end anywhere in a job.
struct only_session {
  std::mutex mutex;
  std::shared_ptr<session> now;
};

only_session& only() {
  static auto* const one = new only_session;
  return *one;
}

}  // namespace

std::shared_ptr<session> session::current() {
  const std::scoped_lock lock(only().mutex);
  return only().now;
}

void session::replace(std::shared_ptr<session> by) {
  const std::scoped_lock lock(only().mutex);
  only().now.swap(by);
}

session::session() : view_(job_.world()), rank_(job_.world().rank()), size_(job_.world().size()) {}

lane* session::take_lane(std::uint64_t timeout_ns) {
  // One context is the job's own, and the service thread has another.
  const auto most = static_cast<std::size_t>(std::max(view().fabric().max_contexts() - 2, 1));
  std::unique_lock lock(mutex_);
  if (free_.empty() && lanes_.size() < most) {
    lanes_.push_back(std::make_unique<lane>(view().state(), view().fabric().open_context(),
                                            static_cast<int>(lanes_.size())));
    return lanes_.back().get();
  }
  const auto has_one = [this] { return !free_.empty() || has_ended(); };
  constexpr auto longest = std::chrono::hours(24 * 365);
  const auto timeout = std::chrono::nanoseconds(
      std::min<std::uint64_t>(timeout_ns, std::chrono::nanoseconds(longest).count()));
  if (!given_back_.wait_for(lock, timeout, has_one)) return nullptr;
  if (has_ended()) throw no_job("far_attach: the job has ended");
  lane* const taken = free_.back();
  free_.pop_back();
  return taken;
}

void session::give_back(lane& used) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    free_.push_back(&used);
  }
  given_back_.notify_one();
}

structure* session::make(lane& mine,
                         base::function_ref<std::unique_ptr<structure>(far::world&)> make) {
  structure* made = nullptr;
  collective(mine, [&](far::world& all) {
    collect(all);
    std::unique_ptr<structure> owned = make(all);
    made = owned.get();
    const std::scoped_lock lock(mutex_);
    made->id_ = next_id_++;
    structures_.emplace(made->id_, std::move(owned));
  });
  return made;
}

void session::drop(const structure& what) {
  const std::scoped_lock lock(mutex_);
  dropped_.push_back(what.id_);
}

void session::name(std::uint64_t word, const structure& what) {
  const std::scoped_lock lock(mutex_);
  named_[word] = &what;
}

const structure* session::take_named(std::uint64_t word) {
  const std::scoped_lock lock(mutex_);
  const auto found = named_.find(word);
  if (found == named_.end()) return nullptr;
  const structure* const what = found->second;
  named_.erase(found);
  return what;
}

/// Destroys what all ranks have dropped.
void session::collect(const far::world& world) {
  std::vector<std::uint64_t> mine;
  {
    const std::scoped_lock lock(mutex_);
    mine = dropped_;
  }
  std::map<std::uint64_t, int> by;
  for (const std::uint64_t id : allgatherv(world, mine)) ++by[id];
  for (const auto& [id, ranks] : by) {
    if (ranks != size_) continue;
    std::unique_ptr<structure> ending;
    {
      const std::scoped_lock lock(mutex_);
      ending = std::move(structures_.at(id));
      structures_.erase(id);
      std::erase(dropped_, id);
    }
    for_each_lane([&](lane& each) { each.drop_kept(ending.get()); });
    ending.reset();
  }
}

std::size_t session::number_space() {
  const std::scoped_lock lock(mutex_);
  const auto unused = std::ranges::find(spaces_, false);
  const auto number = static_cast<std::size_t>(unused - spaces_.begin());
  if (unused == spaces_.end()) spaces_.push_back(false);
  spaces_[number] = true;
  return number;
}

void session::forget_space(std::size_t number) {
  const std::scoped_lock lock(mutex_);
  spaces_[number] = false;
}

void session::leave(lane& mine) {
  view().fabric().check_job();  // in a failed one, threads need not have come to their ends
  {
    const std::scoped_lock lock(mutex_);
    const std::size_t others = lanes_.size() - free_.size() - 1;
    if (others > 0) {
      throw bad_argument(
          fmt::format("far_leave: {} other threads are attached: detach them first, or end the job "
                      "by far_exit_job",
                      others));
    }
  }
  mine.outside([&] {
    const std::scoped_lock turn(turn_);
    barrier(job_.world());
  });
  close_lanes();
  job_.leave();
  structures_.clear();  // without communication, since the job has ended
}

bool session::fail(const char* why, const lane* mine) {
  const auto failure = std::make_exception_ptr(error(why));
  bool is_used = false;
  {
    const std::scoped_lock lock(mutex_);
    is_used = lanes_.size() - free_.size() > (mine != nullptr ? 1 : 0);
  }
  if (is_used) {
    view().fabric().fail_job(failure);
  } else {
    close_lanes();
    job_.fail(failure);
  }
  given_back_.notify_all();
  return !is_used;
}

void session::close_lanes() noexcept {
  const std::scoped_lock lock(mutex_);
  for (const auto& one : lanes_) one->close();
}

namespace {

/// A thread that ends is detached.
struct thread_attachment : attachment {
  ~thread_attachment() {
    lane* const mine = lane_slot();
    // What has joined ends with the process, or has left.
    if (mine == nullptr || has_joined || in->has_ended()) return;
    try {
      if (!mine->is_outside()) mine->begin_outside();
    } catch (const std::exception&) {
      // The job has failed, which others report.
    }
    in->give_back(*mine);
  }
};

}  // namespace

attachment& attachment_here() {
  thread_local thread_attachment here;
  return here;
}

void throw_not_attached() {
  if (lane_slot() != nullptr) throw no_job("the job has ended");
  if (session::current() == nullptr) {
    throw no_job("this process is in no job: call far_join first");
  }
  throw no_job("this thread is not attached to the job: call far_attach first");
}

session& session_here() {
  (void)lane_here();
  return *attachment_here().in;
}

}  // namespace far::c
