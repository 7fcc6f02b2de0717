#pragma once

#include <optional>
#include <span>
#include <string>

#include "far/launch/launcher.hpp"
#include "far/launch/wire.hpp"

namespace far::launch {

/// The launcher of one machine of several. Its messages to the head go into the queue of its
/// standard output, between pieces of its ranks' output. Standard error is not framed.
class node_launcher final : public launcher {
 public:
  /// `to_first`: a pipe to rank 0, which the launcher takes over; -1: rank 0 is on another machine.
  node_launcher(const launch_options& options, shm::region job, pipe_ends to_first,
                frame_reader& head, std::uint64_t silence_s);
  ~node_launcher() override;

  /// Reports to the head that run has failed; replaces the report of conclude.
  void report_unable(const std::string& why);

 private:
  void watch(std::span<pollfd, 2> more) override;
  void attend(std::span<const pollfd, 2> more) override;
  [[nodiscard]] int patience_ms() const override;
  /// The head decides whether output is dropped, and needs the messages between the output.
  [[nodiscard]] bool must_write() const override { return !head_gone_; }
  int conclude() override;

  void hear();
  void obey(const frame& order);
  void lose_head();
  void feed();
  void close_input() noexcept;
  void send_notices();
  void say(frame_kind kind, const record& what = record::object());

  frame_reader* head_;
  pipe_ends input_;
  std::string for_input_;  // input that rank 0 has not read yet
  std::optional<clock::duration> silence_;
  clock::time_point last_heard_ = clock::now();
  bool head_gone_ = false;
  int sent_cards_ = 0;  // number of jobs for which `cards` was sent
  int sent_left_ = 0;   // number of jobs for which `left` was sent
  bool sent_failure_ = false;
};

}  // namespace far::launch
