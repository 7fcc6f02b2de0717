#pragma once
// The job of this process, and the lanes of its threads.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <far/base/function_ref.hpp>
#include <far/far.hpp>

#include "bindings/c/lane.hpp"

namespace far::c {

/// What ranks made together, and destroy together.
class structure {
 public:
  structure() = default;
  virtual ~structure() = default;
  structure(const structure&) = delete;
  structure& operator=(const structure&) = delete;

 private:
  friend class session;
  std::uint64_t id_ = 0;  // in the order in which all ranks make them
};

/// From far_join to far_leave; threads that are attached hold it.
///
/// Collectives take place on the job's own view of the world, one at a time, whichever thread calls
/// them. All else takes place on the lane of its thread.
class session {
 public:
  session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  /// Null: the process is in no job.
  [[nodiscard]] static std::shared_ptr<session> current();
  /// The process's only session from here on; null: none.
  static void replace(std::shared_ptr<session> by);

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// For what needs no context. Errors: far::error after the job.
  [[nodiscard]] const far::world& view() const noexcept { return view_; }
  [[nodiscard]] bool has_ended() const noexcept { return view_.state().ended(); }

  /// A lane that no other thread uses; null: there is none within that time.
  [[nodiscard]] lane* take_lane(std::uint64_t timeout_ns);
  void give_back(lane& used) noexcept;

  /// Calls f(world), a collective call, outside of the spaces that this thread uses.
  template <class F>
  void collective(lane& mine, F f) {
    view_.fabric().check_job();  // else it might meet what the failure has left unfinished
    mine.outside([&] {
      const std::scoped_lock turn(turn_);
      f(job_.world());
    });
  }
  /// Makes a structure, collectively. Destroys first what all ranks have dropped.
  structure* make(lane& mine, base::function_ref<std::unique_ptr<structure>(far::world&)> make);
  /// This rank does not use it any more. Does not communicate.
  void drop(const structure& what);
  /// Structures that are named by a word: memory, by its address. Taking one forgets it; null:
  /// there is none.
  void name(std::uint64_t word, const structure& what);
  [[nodiscard]] const structure* take_named(std::uint64_t word);
  /// Calls f(lane) for each lane.
  template <class F>
  void for_each_lane(F f) {
    const std::scoped_lock lock(mutex_);
    for (const auto& one : lanes_) f(*one);
  }

  [[nodiscard]] std::size_t number_space();
  void forget_space(std::size_t number);

  /// Errors: bad_argument if others than the caller are attached.
  void leave(lane& mine);
  /// `mine`: the caller's, or null. Returns false if other threads are attached: then the job has
  /// failed, but the process has not left it.
  bool fail(const char* why, const lane* mine);

 private:
  void collect(const far::world& world);
  void close_lanes() noexcept;

  job job_;
  far::world view_;
  int rank_;
  int size_;
  std::mutex turn_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::vector<std::unique_ptr<lane>> lanes_;  // under mutex_, as what follows
  std::vector<lane*> free_;
  std::vector<bool> spaces_;  // whether the number is in use
  std::uint64_t next_id_ = 0;
  std::map<std::uint64_t, std::unique_ptr<structure>> structures_;
  std::vector<std::uint64_t> dropped_;
  std::unordered_map<std::uint64_t, const structure*> named_;
};

/// What a thread has of the session while it is attached.
struct attachment {
  std::shared_ptr<session> in;
  int depth = 0;
  bool has_joined = false;  ///< it is that of far_join
};
[[nodiscard]] attachment& attachment_here();

/// The calling thread's lane, or null. Apart from the attachment, because a pointer needs no code
/// to be there: every call begins with it.
[[nodiscard]] inline lane*& lane_slot() noexcept {
  static constinit thread_local lane* here = nullptr;
  return here;
}
[[noreturn]] void throw_not_attached();

/// The calling thread's. Errors: no_job.
[[nodiscard]] inline lane& lane_here() {
  lane* const mine = lane_slot();
  if (mine == nullptr || mine->world().state().ended()) [[unlikely]]
    throw_not_attached();
  return *mine;
}
[[nodiscard]] session& session_here();

/// Collective: make(world) returns what ranks make together.
template <class T, class Make>
T* make_structure(Make make) {
  return static_cast<T*>(session_here().make(
      lane_here(), [&](far::world& all) -> std::unique_ptr<structure> { return make(all); }));
}
/// The rank uses it no more. Null: no-op.
inline void drop_structure(const structure* what) {
  if (what != nullptr) session_here().drop(*what);
}

}  // namespace far::c
