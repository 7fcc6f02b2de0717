#include "far/launch/output.hpp"

#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::launch {
namespace {

constexpr std::string_view line_ends = "\r\n";
constexpr std::size_t read_bytes = std::size_t{64} << 10;
constexpr std::size_t max_queued = std::size_t{256} << 10;
/// Longer lines are passed on in pieces.
constexpr std::size_t longest_line = std::size_t{256} << 10;

bool ends_line(std::string_view piece) {
  return line_ends.find(piece.back()) != std::string_view::npos;
}

}  // namespace

output_sink::output_sink(int descriptor, wrapper wrap) : descriptor_(descriptor), wrap_(wrap) {
  struct stat status {};
  is_socket_ = fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

bool output_sink::full() const noexcept { return queue_.size() - written_ >= max_queued; }

void output_sink::abandon() {
  if (empty()) return;
  lost_ += queue_.size() - written_;
  queue_.clear();
  written_ = 0;
  if (error_ == 0) error_ = ETIMEDOUT;
}

void output_sink::put(const void* origin, std::string_view piece) {
  if (lost_ > 0) lost_ += piece.size();
  if (piece.empty() || broken()) return;
  if (in_line_ && origin != origin_) add(wrap_ == nullptr ? "\n" : wrap_("\n"));
  if (wrap_ == nullptr) {
    add(piece);
  } else {
    add(wrap_(piece));
  }
  origin_ = origin;
  in_line_ = !ends_line(piece);
}

void output_sink::add(std::string_view bytes) {
  if (broken()) return;
  if (empty()) waits_since_ = clock::now();
  queue_ += bytes;
}

void output_sink::write_some() {
  if (empty()) return;
  // A pipe that poll reports writable takes this much without blocking.
  const std::size_t part = std::min<std::size_t>(queue_.size() - written_, PIPE_BUF);
  const char* const from = queue_.data() + written_;
  const ssize_t done = is_socket_ ? send(descriptor_, from, part, MSG_DONTWAIT | MSG_NOSIGNAL)
                                  : write(descriptor_, from, part);
  if (done >= 0) {
    written_ += static_cast<std::size_t>(done);
    waits_since_ = clock::now();
  } else if (errno != EAGAIN && errno != EINTR) {
    error_ = errno;
    written_ = queue_.size();
  }
  if (empty()) {
    queue_.clear();
    written_ = 0;
  } else if (written_ >= max_queued) {
    queue_.erase(0, written_);
    written_ = 0;
  }
}

std::optional<output_sink::clock::time_point> stuck_at(
    const output_sink& sink, output_sink::clock::time_point ending_since) noexcept {
  constexpr std::chrono::seconds longest_stall{1};
  if (sink.empty()) return std::nullopt;
  return std::max(sink.waits_since(), ending_since) + longest_stall;
}

line_stream::line_stream(int pipe, std::string tag, output_sink& to)
    : pipe_(pipe), tag_(std::move(tag)), sink_(&to) {}

line_stream::~line_stream() { close(pipe_); }

line_stream::state line_stream::read_some() { return read_at_most(read_bytes); }

line_stream::state line_stream::drain_some() {
  if (!left_to_drain_) {
    int held = 0;
    ioctl(pipe_, FIONREAD, &held);
    left_to_drain_ = static_cast<std::size_t>(held);
  }
  return *left_to_drain_ == 0 ? state::ended : read_at_most(std::min(*left_to_drain_, read_bytes));
}

line_stream::state line_stream::read_at_most(std::size_t max) {
  static std::array<char, read_bytes> buffer;  // the launcher's one thread reads one at a time
  const ssize_t got = read(pipe_, buffer.data(), max);
  if (got > 0) {
    if (left_to_drain_) *left_to_drain_ -= static_cast<std::size_t>(got);
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    if (tag_.empty()) {
      take(bytes);
    } else {
      take_tagged(bytes);
    }
    return state::more;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return state::nothing_now;
  return state::ended;
}

/// Passes on all complete lines in one piece.
void line_stream::take(std::string_view bytes) {
  const std::size_t end = bytes.find_last_of(line_ends);
  if (end != std::string_view::npos) {
    partial_ += bytes.substr(0, end + 1);
    pass_on(partial_);
    partial_.clear();
    bytes.remove_prefix(end + 1);
  }
  partial_ += bytes;
  if (partial_.size() >= longest_line) {
    pass_on(partial_);
    partial_.clear();
  }
}

void line_stream::take_tagged(std::string_view bytes) {
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') {
      sink_->put(this, bytes.substr(0, 1));  // "\r\n" ends one line, not two
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of(line_ends);
    const bool whole = end != std::string_view::npos;
    const std::size_t length = whole ? end + 1 : bytes.size();
    partial_ += bytes.substr(0, length);
    after_return_ = whole && bytes[end] == '\r';
    bytes.remove_prefix(length);
    if (whole || partial_.size() >= longest_line) {
      pass_on(partial_);
      partial_.clear();
    }
  }
}

void line_stream::pass_on(std::string_view piece) {
  if (!tag_.empty() && !sink_->in_line_of(this)) sink_->put(this, tag_);
  sink_->put(this, piece);
}

void line_stream::finish() {
  if (!partial_.empty()) pass_on(partial_);
  partial_.clear();
  if (sink_->in_line_of(this)) sink_->put(this, "\n");
}

output_channel::output_channel(int descriptor, output_sink::wrapper wrap)
    : sink_(descriptor, wrap), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) {
    throw fabric_error(fmt::format("cannot watch the ranks' output: {}", std::strerror(errno)));
  }
}

output_channel::~output_channel() { close(epoll_); }

void output_channel::add(int pipe, std::string tag) {
  streams_.push_back(std::make_unique<line_stream>(pipe, std::move(tag), sink_));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = streams_.back().get();
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, pipe, &event) != 0) {
    throw fabric_error(fmt::format("cannot watch the ranks' output: {}", std::strerror(errno)));
  }
}

void output_channel::close_all() { streams_.clear(); }

void output_channel::read_some() {
  if (sink_.broken()) return close_all();
  std::array<epoll_event, 64> events{};
  const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < count && !sink_.full(); ++i) {
    auto* const stream = static_cast<line_stream*>(events[static_cast<std::size_t>(i)].data.ptr);
    if (stream->read_some() != line_stream::state::ended) continue;
    stream->finish();
    std::erase_if(streams_, [&](const auto& owned) { return owned.get() == stream; });
  }
}

bool output_channel::drain() {
  if (sink_.broken()) close_all();
  while (!streams_.empty() && !sink_.full()) {
    line_stream& stream = *streams_.front();
    line_stream::state state = line_stream::state::more;
    while (state == line_stream::state::more && !sink_.full()) state = stream.drain_some();
    if (state == line_stream::state::more) return false;
    stream.finish();
    streams_.erase(streams_.begin());
  }
  return streams_.empty();
}

}  // namespace far::launch
