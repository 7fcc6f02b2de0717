// The board of a job that launchers on several machines have started (far run --hosts). A rank
// writes its card to the roster in its machine's mapping, wakes its launcher, and waits until the
// launcher has added the cards of all others.

#include <signal.h>

#include <cstring>

#include "far/fabric/ucx/board.hpp"

namespace far::fabric::ucx {
namespace {

class roster_board final : public board {
 public:
  explicit roster_board(shm::rank_fabric& home) : home_(&home) {}

  void exchange(std::span<const std::byte> card) override {
    check_card(*home_, card);
    shm::roster_entry& own = home_->job().roster(home_->rank());
    std::memcpy(own.card.data(), card.data(), card.size());
    own.card_bytes.store(static_cast<std::uint32_t>(card.size()), std::memory_order_release);
    shm::job_header& header = home_->job().header();
    notify_launcher(header.cards);
    wait_for(header.all_cards, "all ranks to join");
  }

  [[nodiscard]] std::vector<std::byte> card(int rank) override {
    const shm::roster_entry& entry = home_->job().roster(rank);
    return {entry.card.data(),
            entry.card.data() + entry.card_bytes.load(std::memory_order_acquire)};
  }

  void rendezvous() override {
    shm::job_header& header = home_->job().header();
    notify_launcher(header.left);
    wait_for(header.all_left, "all ranks to leave");
  }

  [[nodiscard]] bool is_of_one_machine() const noexcept override { return false; }
  [[nodiscard]] bool is_supervised() const noexcept override { return true; }

 private:
  /// Counts this rank; the last rank of the mapping wakes the launcher.
  void notify_launcher(std::atomic<std::int32_t>& ranks) {
    const shm::region& job = home_->job();
    const int all = home_->job_number() * job.shape().ranks;
    if (ranks.fetch_add(1, std::memory_order_seq_cst) + 1 < all) return;
    // Launchers wake up and check on this signal anyway.
    kill(job.header().launcher_pid, SIGCHLD);
  }

  void wait_for(const std::atomic<std::int32_t>& done, const char* what) {
    const auto context = home_->open_quietly();
    const int number = home_->job_number();
    context->wait([&] { return done.load(std::memory_order_seq_cst) >= number; }, never,
                  {what, -1, {}});
  }

  shm::rank_fabric* home_;
};

}  // namespace

std::unique_ptr<board> make_roster_board(shm::rank_fabric& home) {
  return std::make_unique<roster_board>(home);
}

}  // namespace far::fabric::ucx
