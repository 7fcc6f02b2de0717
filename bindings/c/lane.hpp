#pragma once
// What a thread uses while it is attached: a context, and a view of each object space.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <far/far.hpp>
#include <far/object/thread_access.hpp>

namespace far::c {

/// Of a structure: what a lane keeps for it, such as a view of a lock.
struct kept_view {
  virtual ~kept_view() = default;
};

/// Lanes are made when threads attach, and used again. One that no thread uses is outside of all
/// spaces, so that collections do not wait for it.
///
/// Threads: belongs to the thread that is attached to it. Who destroys a structure drops what lanes
/// keep for it, while no other thread uses the structure.
class lane {
 public:
  lane(rank_state& state, std::unique_ptr<fabric::context> context, int number)
      : context_(std::move(context)), world_(state, *context_, number) {}
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;

  [[nodiscard]] const far::world& world() const noexcept { return world_; }

  /// The view of the space of that number, made at its first use.
  [[nodiscard]] objects::thread_access& view_of(std::size_t space,
                                                const std::shared_ptr<objects::part>& part);
  void close_view(std::size_t space);

  /// Calls f, which may wait for long, outside of all spaces, or of all but one. It must not use
  /// those, nor end in another state than it began.
  template <class F>
  void outside(F f, const objects::thread_access* but = nullptr) {
    if (is_outside_ || views_.empty() || (views_.size() == 1 && but != nullptr)) return f();
    begin_outside(but);
    try {
      f();
    } catch (...) {
      end_outside(but);
      throw;
    }
    end_outside(but);
  }
  void begin_outside(const objects::thread_access* but = nullptr);
  void end_outside(const objects::thread_access* but = nullptr);
  [[nodiscard]] bool is_outside() const noexcept { return is_outside_; }
  void refresh();

  /// The lane's own view of a structure: make() returns it.
  template <class View, class Make>
  View& kept(const void* structure, Make make) {
    const std::scoped_lock lock(mutex_);
    auto& slot = kept_[structure];
    if (slot == nullptr) slot = make();
    return static_cast<View&>(*slot);
  }
  void drop_kept(const void* structure) {
    const std::scoped_lock lock(mutex_);
    kept_.erase(structure);
  }

  /// Errors: bad_argument if the thread holds a lock or a monitor.
  void check_holds_nothing() const;
  int held_locks = 0;
  std::atomic<bool> interrupted = false;  ///< ends a wait in a monitor
  std::vector<std::uint64_t> places;      ///< as `result`
  std::string result;                     ///< bytes that the last call has returned a pointer to

  /// Before the context is closed: what uses it is destroyed.
  void close() noexcept;

 private:
  std::unique_ptr<fabric::context> context_;
  far::world world_;
  std::vector<std::unique_ptr<objects::thread_access>> views_;  // by number; null: none yet
  std::mutex mutex_;
  std::unordered_map<const void*, std::unique_ptr<kept_view>> kept_;  // under mutex_
  bool is_outside_ = false;
};

}  // namespace far::c
