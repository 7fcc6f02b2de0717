#pragma once
// The monitors of a rank's own objects. Under part::mutex.
//
// A monitor is entered by one thread at a time; the others queue. A thread counts for itself how
// often it has entered a monitor again (thread_record::held). Threads that wait to be notified
// are in a second queue; a notification moves them to the first when its sender leaves, and a
// deadline moves them there, too.
//
// Each object has a word in its header. Threads that reach it enter a free monitor, and leave one
// that nobody waits for, by one compare-and-swap of it:
//
//   free    nobody is in the monitor, and the table does not have it
//   held    a thread is in it, and the table does not have it
//   queued  the table has it: threads queue or wait; changes only under the mutex
//   n       it has been inflated, and the table only remembers that (inflated_monitor.hpp)
//
// Source: oo-dsm-rdma.txt, section 3.

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "far/object/heap/region.hpp"
#include "far/object/outbox.hpp"

namespace far::objects {

struct part;

enum class monitor_request : std::uint8_t { enter, try_enter, exit, wait, expire };

/// What a thread learns from the home.
enum class monitor_answer : std::uint8_t {
  refused,
  entered,
  expired,
  inflated,  ///< the monitor is, by now: the thread enters, or waits, by itself
};

/// A thread of the job, as long as it waits.
struct waiting_thread {
  int rank;
  std::uint16_t context;
  auto operator<=>(const waiting_thread&) const = default;
};

/// A thread that asks for a monitor. The object may come with the grant (granted_object.hpp).
struct monitor_caller {
  fabric::reply_token token;
  bool wants_object = false;
};

/// The word of a monitor, in the header before an object's data.
class monitor_word {
 public:
  explicit monitor_word(std::byte* data) noexcept
      : word_(reinterpret_cast<region_header*>(data - sizeof(region_header))->monitor) {}

  /// Enters it if it is free.
  [[nodiscard]] bool try_enter() const noexcept { return change(free, held); }
  [[nodiscard]] bool is_free() const noexcept {
    return word_.load(std::memory_order_relaxed) == free;
  }
  /// Leaves it if nobody waits for it.
  [[nodiscard]] bool try_leave() const noexcept { return change(held, free); }
  /// The number of the inflated monitor, if it has one.
  [[nodiscard]] std::optional<std::uint16_t> inflated() const noexcept {
    const std::uint16_t value = word_.load(std::memory_order_acquire);
    if (value < first_inflated) return {};
    return static_cast<std::uint16_t>(value - first_inflated);
  }

 private:
  friend class monitor_table;
  static constexpr std::uint16_t free = 0;
  static constexpr std::uint16_t held = 1;
  static constexpr std::uint16_t queued = 2;
  static constexpr std::uint16_t first_inflated = 3;

  [[nodiscard]] bool change(std::uint16_t from, std::uint16_t to) const noexcept {
    return word_.compare_exchange_strong(from, to, std::memory_order_acq_rel);
  }

  std::atomic_ref<std::uint16_t> word_;
};

class monitor_table {
 public:
  explicit monitor_table(part& of) noexcept : part_(&of) {}

  /// Enters it if nobody is in it, nor queues for it.
  [[nodiscard]] bool try_enter(std::uint64_t offset);
  /// Answers when it is the caller's.
  void enter(outbox& out, std::uint64_t offset, const monitor_caller& caller);
  /// `notified`: how many of the threads that wait longest are to enter next.
  void exit(outbox& out, std::uint64_t offset, std::uint32_t notified);
  /// Leaves, and answers when the thread has been notified, or its wait has expired, and the
  /// monitor is its own again. `number` names the wait among those of the thread.
  void wait(outbox& out, std::uint64_t offset, std::uint32_t notified, const monitor_caller& caller,
            std::uint64_t number);
  /// Ends a thread's wait, unless it has been notified. May arrive before the wait.
  void expire(outbox& out, std::uint64_t offset, const waiting_thread& thread,
              std::uint64_t number);
  /// In a collection: takes back the inflated monitors of objects that are not marked.
  void deflate(const std::uint64_t* marked);

 private:
  struct entering {
    monitor_caller caller;
    monitor_answer answer;
  };
  struct waiting {
    monitor_caller caller;
    std::uint64_t number;
  };
  struct monitor {
    bool taken = false;
    std::deque<entering> queue;
    std::deque<waiting> waits;
  };

  [[nodiscard]] monitor_word word_of(std::uint64_t offset) const noexcept;
  [[nodiscard]] bool is_inflated(std::uint64_t offset);
  [[nodiscard]] std::optional<std::uint16_t> take_inflated();
  static void notify(monitor& m, std::uint32_t count);
  void grant_and_wake(outbox& out, std::uint64_t offset, const entering& to);
  void pass_on(outbox& out, std::uint64_t offset, monitor& m);

  part* part_;
  std::unordered_map<std::uint64_t, monitor> monitors_;        // whose word is `queued`
  std::unordered_map<std::uint64_t, std::uint16_t> inflated_;  // whose word has this number
  std::uint16_t next_inflated_ = 0;                            // numbers above are unused
  std::vector<std::uint16_t> unused_;                          // below
  /// For each thread, its last wait whose end came before the wait, or after a notification.
  std::map<waiting_thread, std::uint64_t> expired_;
};

}  // namespace far::objects
