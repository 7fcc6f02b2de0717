#pragma once
// The monitors of a rank's own objects. Under part::mutex.
//
// A monitor is entered by one thread at a time; the others queue. That a thread enters again what
// it is in is counted by the thread itself (thread_record::held). Threads that wait to be notified
// are in a second queue; a notification moves them to the first when its sender leaves, and a
// deadline moves them there, too.
//
// Source: oo-dsm-rdma.txt, section 3.

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>

#include "far/object/outbox.hpp"

namespace far::objects {

enum class monitor_request : std::uint8_t { enter, try_enter, exit, wait, expire };

/// What a thread learns from the home.
enum class monitor_answer : std::uint8_t { refused, entered, expired };

/// A thread of the job, as long as it waits.
struct waiting_thread {
  int rank;
  std::uint16_t context;
  auto operator<=>(const waiting_thread&) const = default;
};

class monitor_table {
 public:
  /// True if it was free, and is the caller's now.
  [[nodiscard]] bool try_enter(std::uint64_t offset);
  /// Answers when it is the caller's.
  void enter(outbox& out, std::uint64_t offset, const fabric::reply_token& token);
  /// `notified`: how many of the threads that wait longest are to enter next.
  void exit(outbox& out, std::uint64_t offset, std::uint32_t notified);
  /// Leaves, and answers when the thread has been notified, or its wait has expired, and the
  /// monitor is its own again. `number` names the wait among those of the thread.
  void wait(outbox& out, std::uint64_t offset, std::uint32_t notified,
            const fabric::reply_token& token, std::uint64_t number);
  /// Ends a thread's wait, unless it has been notified. May arrive before the wait.
  void expire(outbox& out, std::uint64_t offset, const waiting_thread& thread,
              std::uint64_t number);

 private:
  struct entering {
    fabric::reply_token token;
    monitor_answer answer;
  };
  struct waiting {
    fabric::reply_token token;
    std::uint64_t number;
  };
  struct monitor {
    bool taken = false;
    std::deque<entering> queue;
    std::deque<waiting> waits;
  };

  static void notify(monitor& m, std::uint32_t count);
  void pass_on(outbox& out, std::uint64_t offset, monitor& m);

  std::unordered_map<std::uint64_t, monitor> monitors_;  // those that are taken or waited for
  /// Each thread's last wait that expired when it was not, or no longer, there.
  std::map<waiting_thread, std::uint64_t> expired_;
};

}  // namespace far::objects
