#pragma once
// The ranks' output on its way to the launcher's own: whole lines, in bounded memory, and without
// ever blocking the launcher, who has other things to watch.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "far/base/language.hpp"

namespace far::launch {

/// One of the launcher's own outputs, and what is still to be written to it.
class output_sink {
 public:
  using clock = std::chrono::steady_clock;
  /// How a piece of output is put into the queue; null: as it is.
  using wrapper = std::string (*)(std::string_view piece);

  explicit output_sink(int descriptor, wrapper wrap = nullptr);

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] bool empty() const noexcept { return written_ == queue_.size(); }
  [[nodiscard]] bool full() const noexcept;
  /// Nobody reads it any more; `error` says why (errno).
  [[nodiscard]] bool broken() const noexcept { return error_ != 0; }
  [[nodiscard]] int error() const noexcept { return error_; }
  /// When the reader took the last part, or the queue began to fill. Of a queue that is not empty.
  [[nodiscard]] clock::time_point waits_since() const noexcept { return waits_since_; }
  /// Waits for the reader no longer: what is queued is lost, and what follows. No-op if nothing is.
  void abandon();
  /// Bytes lost by that.
  [[nodiscard]] std::size_t lost() const noexcept { return lost_; }

  /// Adds a piece of `author`'s. If it begins in the middle of another author's line, that line
  /// is ended first.
  void put(const void* author, std::string_view piece);
  /// Adds what is no output of a rank, and goes between two pieces.
  void add(std::string_view bytes);
  /// Whether the last line is one of `author`'s that has not ended yet.
  [[nodiscard]] bool in_line_of(const void* author) const noexcept {
    return in_line_ && author_ == author;
  }
  /// Writes a part, which blocks only if poll has not said that it can be done.
  void write_some();

 private:
  int descriptor_;
  wrapper wrap_;
  bool is_socket_;
  std::string queue_;
  std::size_t written_ = 0;  // of the queue
  std::size_t lost_ = 0;
  clock::time_point waits_since_;
  const void* author_ = nullptr;
  bool in_line_ = false;
  int error_ = 0;
};

/// When the reader of a sink is taken for stuck, where the job is to end since `ending_since`: it
/// has taken nothing for a second. Null: nothing waits for it.
[[nodiscard]] std::optional<output_sink::clock::time_point> stuck_at(
    const output_sink& sink, output_sink::clock::time_point ending_since) noexcept;

/// One rank's standard output or error: cuts what comes through a pipe into lines. Both '\n' and
/// '\r' end a line, so that progress bars move.
class line_stream {
 public:
  enum class state { more, nothing_now, ended };

  /// Takes over the pipe, which must not block. `tag` is put before each line.
  line_stream(int pipe, std::string tag, output_sink& to);
  ~line_stream();
  line_stream(const line_stream&) = delete;
  line_stream& operator=(const line_stream&) = delete;

  [[nodiscard]] int pipe() const noexcept { return pipe_; }
  state read_some();
  /// The same, but what comes into the pipe after the first call is left in it.
  state drain_some();
  /// Ends the last line, if that is incomplete.
  void finish();

 private:
  state read_at_most(std::size_t bytes);
  void take(std::string_view bytes);
  void take_tagged(std::string_view bytes);
  void pass_on(std::string_view piece);

  int pipe_;
  std::string tag_;
  output_sink* sink_;
  std::string partial_;  // the line under way
  bool after_return_ = false;
  std::optional<std::size_t> left_to_drain_;
};

/// A sink and the streams of all ranks that flow into it.
class output_channel {
 public:
  explicit output_channel(int descriptor, output_sink::wrapper wrap = nullptr);
  ~output_channel();
  output_channel(const output_channel&) = delete;
  output_channel& operator=(const output_channel&) = delete;

  void add(int pipe, std::string tag);
  /// Readable when a stream is.
  [[nodiscard]] int descriptor() const noexcept { return epoll_; }
  [[nodiscard]] output_sink& sink() noexcept { return sink_; }
  [[nodiscard]] const output_sink& sink() const noexcept { return sink_; }
  void read_some();
  /// Reads what the pipes hold now, as far as the sink takes it, and closes them, whoever may
  /// hold their other ends. True when all are closed.
  bool drain();
  /// Reads no more: the ranks learn of it as of any broken pipe.
  void close_all();

 private:
  output_sink sink_;
  int epoll_;
  std::vector<std::unique_ptr<line_stream>> streams_;
};

}  // namespace far::launch
