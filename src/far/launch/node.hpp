#pragma once

#include <optional>
#include <span>
#include <string>

#include "far/launch/launcher.hpp"
#include "far/launch/wire.hpp"

namespace far::launch {

/// The launcher of one machine. What it has to say goes into the queue of its standard output,
/// between its ranks' output; standard error stays what it is.
class node_launcher final : public launcher {
 public:
  /// `to_first`: the end of a pipe into rank 0, which it takes over; -1: rank 0 is elsewhere.
  node_launcher(const launch_options& options, shm::region job, pipe_ends to_first,
                frame_reader& head, std::uint64_t silence_s);
  ~node_launcher() override;

  /// Instead of an end that run would have told.
  void tell_unable(const std::string& why);

 private:
  void watch(std::span<pollfd, 2> more) override;
  void attend(std::span<const pollfd, 2> more) override;
  [[nodiscard]] int patience_ms() const override;
  /// The head decides what becomes of the output, and needs what stands between it.
  [[nodiscard]] bool must_write() const override { return !head_gone_; }
  int conclude() override;

  void hear();
  void obey(const frame& order);
  void lose_head();
  void feed();
  void close_input() noexcept;
  void tell_news();
  void say(frame_kind kind, const record& what = record::object());

  frame_reader* head_;
  pipe_ends input_;
  std::string for_input_;  // what rank 0 has not taken yet
  std::optional<clock::duration> silence_;
  clock::time_point heard_at_ = clock::now();
  bool head_gone_ = false;
  int told_cards_ = 0;  // for how many jobs,
  int told_left_ = 0;   // one after the other
  bool told_failure_ = false;
};

}  // namespace far::launch
