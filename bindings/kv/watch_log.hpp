#pragma once
// What happens at a rank, in lines, for clients that watch: the command watch.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace far::kv {

/// Kinds of events, as bits.
namespace events {
inline constexpr std::uint8_t fetches = 1;      ///< an item was looked up
inline constexpr std::uint8_t mutations = 2;    ///< an item was stored, or should have been
inline constexpr std::uint8_t evictions = 4;    ///< an item made room for others
inline constexpr std::uint8_t connections = 8;  ///< a connection was opened or closed
}  // namespace events
using event_kinds = std::uint8_t;

struct logged_event {
  event_kinds kind = 0;
  std::string line;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(kind, line);
  }
};

/// What a rank has logged and not yet passed on to watchers, who may be at any rank. Thread-safe.
/// Cost: a load for each event of a kind that nobody watches.
class event_log {
 public:
  /// Keeps lines up to `max_bytes` for each of these threads; drops what comes when it is full.
  event_log(int rank, int ranks, std::size_t max_bytes);

  [[nodiscard]] bool wants(event_kinds kind) const noexcept {
    return (wanted_.load(std::memory_order_relaxed) & kind) != 0;
  }
  /// Which kinds watchers at a rank want. What comes with an older number than before is ignored.
  void set_wanted(int rank, std::uint64_t number, event_kinds kinds);
  [[nodiscard]] event_kinds wanted_at(int rank) const;

  /// Adds a line of "name=value" pairs, behind the time and the line's number in the job.
  void add(event_kinds kind, std::string_view pairs) noexcept;

  /// `wake` is called when there are events, from any thread, and not again before take has found
  /// none.
  void set_wake(std::function<void()> wake);
  [[nodiscard]] std::vector<logged_event> take();

  /// A line could not be made.
  void drop() noexcept { ++dropped_; }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
  void reset_counts() noexcept { written_ = dropped_ = 0; }

 private:
  struct wish {
    std::uint64_t number = 0;
    event_kinds kinds = 0;
  };

  int rank_;
  std::size_t max_bytes_;
  std::atomic<event_kinds> wanted_ = 0;  // of all ranks
  std::atomic<std::uint64_t> written_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;
  mutable std::mutex mutex_;
  std::vector<wish> wishes_;  // by rank; this and the rest under mutex_
  std::vector<logged_event> events_;
  std::size_t bytes_ = 0;
  std::uint64_t lines_ = 0;
  bool is_awake_ = false;
  std::function<void()> wake_;
};

}  // namespace far::kv
