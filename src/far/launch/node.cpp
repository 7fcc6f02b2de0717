#include "far/launch/node.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "far/base/error.hpp"
#include "far/launch/roster.hpp"

namespace far::launch {
namespace {

std::string wrap_output(std::string_view piece) { return framed_bytes(frame_kind::output, piece); }

}  // namespace

node_launcher::node_launcher(const launch_options& options, shm::region job, pipe_ends to_first,
                             frame_reader& head, std::uint64_t silence_s)
    : launcher(options, std::move(job), to_first.reads, wrap_output),
      head_(&head),
      input_(to_first) {
  if (silence_s > 0) silence_ = std::chrono::seconds(silence_s);
  if (input_.writes >= 0) fcntl(input_.writes, F_SETFL, O_NONBLOCK);
}

node_launcher::~node_launcher() { close_input(); }

void node_launcher::say(frame_kind kind, const record& what) {
  output().sink().add(framed(kind, what));
}

void node_launcher::watch(std::span<pollfd, 2> more) {
  if (!head_gone_) more[0] = {head_->descriptor(), POLLIN, 0};
  if (!for_input_.empty()) more[1] = {input_.writes, POLLOUT, 0};
  // Once rank 0 has inherited the read end, close it here. So a write fails when rank 0 has ended
  // or closed its input.
  if (input_.reads >= 0 && ranks().running() > 0) {
    close(input_.reads);
    input_.reads = -1;
  }
}

void node_launcher::attend(std::span<const pollfd, 2> more) {
  try {
    if (more[0].revents != 0) hear();
    if (more[1].revents != 0) feed();
    if (silence_ && clock::now() - last_heard_ > *silence_) lose_head();
    if (output().sink().broken()) lose_head();
    send_notices();
  } catch (const std::exception&) {
    lose_head();  // a malformed message cannot come from a head
  }
}

int node_launcher::patience_ms() const {
  if (!silence_ || head_gone_) return -1;
  return ms_until(last_heard_ + *silence_ + std::chrono::milliseconds(1));
}

/// Ends the ranks, silently, because without the head there is no job.
void node_launcher::lose_head() {
  if (std::exchange(head_gone_, true)) return;
  give_up();
  output().close_all();
  ranks().end();
}

void node_launcher::hear() {
  const bool more = head_->read_some();
  last_heard_ = clock::now();
  while (const auto order = head_->next()) obey(*order);
  if (!more) lose_head();
}

void node_launcher::obey(const frame& order) {
  shm::job_header& header = job().header();
  switch (order.kind) {
    case frame_kind::roster:
      lay_cards(job(), order.parsed().at("cards"));
      header.all_cards.fetch_add(1, std::memory_order_seq_cst);
      return shm::wake_all(job());
    case frame_kind::all_left:
      header.all_left.fetch_add(1, std::memory_order_seq_cst);
      return shm::wake_all(job());
    case frame_kind::input:
      for_input_ += order.bytes;
      if (order.bytes.empty()) close_input();
      return;
    case frame_kind::output_closed:
      return output().close_all();
    case frame_kind::forward:
      return ranks().forward(order.parsed().at("signal").get<int>(), 0);
    case frame_kind::report:
      return report([this](const std::string& line) { say(frame_kind::said, {{"line", line}}); });
    case frame_kind::failed:
      mark_failure(job(), order.parsed());
      sent_failure_ = true;
      return ranks().job_failed();
    case frame_kind::end:
      return ranks().end();
    case frame_kind::kill:
      return ranks().kill();
    case frame_kind::heartbeat:
      return say(frame_kind::heartbeat);
    default:
      throw fabric_error("the head sent a message that it may not send");
  }
}

/// Writes as much of rank 0's input as its pipe takes.
void node_launcher::feed() {
  const ssize_t done = write(input_.writes, for_input_.data(), for_input_.size());
  if (done < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (done < 0) close_input();
  for_input_.erase(0, done < 0 ? std::string::npos : static_cast<std::size_t>(done));
  if (for_input_.empty()) say(frame_kind::input_taken, {{"more", done >= 0}});
}

void node_launcher::close_input() noexcept {
  if (input_.reads >= 0) close(input_.reads);
  if (input_.writes >= 0) close(input_.writes);
  input_ = {};
}

/// Sends the head what the ranks have left in shared memory for other machines.
void node_launcher::send_notices() {
  const shm::job_header& header = job().header();
  const int here = job().shape().ranks;
  // No rank counts for the next job before the head has answered for this one.
  if (header.cards.load(std::memory_order_seq_cst) >= here * (sent_cards_ + 1)) {
    ++sent_cards_;
    say(frame_kind::cards, {{"build", header.fingerprint.load()}, {"cards", cards_of(job())}});
  }
  if (header.left.load(std::memory_order_seq_cst) >= here * (sent_left_ + 1)) {
    ++sent_left_;
    say(frame_kind::left);
  }
  // If the program cannot be run, the ranks are killed; conclude reports that.
  if (!sent_failure_ && !not_run() && header.failed.load(std::memory_order_acquire) != 0) {
    sent_failure_ = true;
    ranks().job_failed();
    say(frame_kind::broken, failure_in(job()));
  }
}

int node_launcher::conclude() {
  record end{{"joined", job().header().joined.load() / job().shape().ranks}, {"others", 0}};
  if (const auto failure = ranks().failure()) {
    end["others"] = failure->others;
    if (job().holds(failure->rank)) end["failure"] = record_of(*failure);
  }
  if (not_run()) end["not_run"] = {{"text", not_run()->text}, {"status", not_run()->status}};
  say(frame_kind::done, end);
  return 0;
}

void node_launcher::report_unable(const std::string& why) {
  say(frame_kind::unable, {{"text", why}});
  drain();
}

}  // namespace far::launch
