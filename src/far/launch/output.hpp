#pragma once
// Passes the ranks' output on to the launcher's own output: in whole lines, in bounded memory, and
// without blocking the launcher, which must handle other events.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "far/base/language.hpp"

namespace far::launch {

/// One of the launcher's own outputs, with a queue of what is still to be written to it.
class output_sink {
 public:
  using clock = std::chrono::steady_clock;
  /// Encodes a piece of output for the queue; null: it is queued unchanged.
  using wrapper = std::string (*)(std::string_view piece);

  explicit output_sink(int descriptor, wrapper wrap = nullptr);

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] bool empty() const noexcept { return written_ == queue_.size(); }
  [[nodiscard]] bool full() const noexcept;
  /// The output can no longer be written; `error` says why (errno).
  [[nodiscard]] bool broken() const noexcept { return error_ != 0; }
  [[nodiscard]] int error() const noexcept { return error_; }
  /// When the reader last took a part, or the queue became non-empty. Valid if it is not empty.
  [[nodiscard]] clock::time_point waits_since() const noexcept { return waits_since_; }
  /// Drops what is queued and all later output. No-op if the queue is empty.
  void abandon();
  /// Bytes dropped by abandon.
  [[nodiscard]] std::size_t lost() const noexcept { return lost_; }

  /// Adds a piece of output of `origin`. If it begins in the middle of another origin's line, that
  /// line is ended first.
  void put(const void* origin, std::string_view piece);
  /// Adds bytes that are not output of a rank, between two pieces.
  void add(std::string_view bytes);
  /// Whether the last line is an unfinished one of `origin`.
  [[nodiscard]] bool in_line_of(const void* origin) const noexcept {
    return in_line_ && origin_ == origin;
  }
  /// Writes a part of the queue. It does not block if poll has reported the descriptor writable.
  void write_some();

 private:
  int descriptor_;
  wrapper wrap_;
  bool is_socket_;
  std::string queue_;
  std::size_t written_ = 0;  // bytes of the queue that were written
  std::size_t lost_ = 0;
  clock::time_point waits_since_;
  const void* origin_ = nullptr;
  bool in_line_ = false;
  int error_ = 0;
};

/// When the reader of a sink counts as stuck, in a job that is being ended since `ending_since`:
/// after it has taken nothing for a second. Null: the queue is empty.
[[nodiscard]] std::optional<output_sink::clock::time_point> stuck_at(
    const output_sink& sink, output_sink::clock::time_point ending_since) noexcept;

/// One rank's standard output or error: cuts what it reads from a pipe into lines. Both '\n' and
/// '\r' end a line, so that progress bars move.
class line_stream {
 public:
  enum class state { more, nothing_now, ended };

  /// Takes over the pipe, which must be non-blocking. `tag` is put before each line.
  line_stream(int pipe, std::string tag, output_sink& to);
  ~line_stream();
  line_stream(const line_stream&) = delete;
  line_stream& operator=(const line_stream&) = delete;

  [[nodiscard]] int pipe() const noexcept { return pipe_; }
  state read_some();
  /// The same, but does not read what is written to the pipe after the first call.
  state drain_some();
  /// Ends the last line if it is incomplete.
  void finish();

 private:
  state read_at_most(std::size_t bytes);
  void take(std::string_view bytes);
  void take_tagged(std::string_view bytes);
  void pass_on(std::string_view piece);

  int pipe_;
  std::string tag_;
  output_sink* sink_;
  std::string partial_;  // the current, incomplete line
  bool after_return_ = false;
  std::optional<std::size_t> left_to_drain_;
};

/// A sink and the streams of all ranks that write to it.
class output_channel {
 public:
  explicit output_channel(int descriptor, output_sink::wrapper wrap = nullptr);
  ~output_channel();
  output_channel(const output_channel&) = delete;
  output_channel& operator=(const output_channel&) = delete;

  void add(int pipe, std::string tag);
  /// A descriptor that is readable when a stream is.
  [[nodiscard]] int descriptor() const noexcept { return epoll_; }
  [[nodiscard]] output_sink& sink() noexcept { return sink_; }
  [[nodiscard]] const output_sink& sink() const noexcept { return sink_; }
  void read_some();
  /// Reads what the pipes hold now, until the sink is full, and closes those that have been
  /// drained, even if processes still hold their other ends. Returns true when all are closed.
  bool drain();
  /// Stops reading and closes the pipes. To the ranks they are broken pipes.
  void close_all();

 private:
  output_sink sink_;
  int epoll_;
  std::vector<std::unique_ptr<line_stream>> streams_;
};

}  // namespace far::launch
