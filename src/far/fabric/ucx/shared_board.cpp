#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/ucx/board.hpp"

namespace far::fabric::ucx {
namespace {

class shared_board final : public board {
 public:
  explicit shared_board(shm::rank_fabric& home) : home_(&home) {}

  void exchange(std::span<const std::byte> card) override {
    check_card(*home_, card);
    shm::rank_block& own = home_->block(home_->rank());
    std::memcpy(own.card.data(), card.data(), card.size());
    own.card_bytes.store(static_cast<std::uint32_t>(card.size()), std::memory_order_release);
    count_to_all(home_->job().header().cards, "all ranks to join");
  }

  [[nodiscard]] std::vector<std::byte> card(int rank) override {
    const shm::rank_block& block = home_->block(rank);
    const std::byte* const begin = block.card.data();
    return {begin, begin + block.card_bytes.load(std::memory_order_acquire)};
  }

  void rendezvous() override { count_to_all(home_->job().header().left, "all ranks to leave"); }

  [[nodiscard]] bool is_of_one_machine() const noexcept override { return true; }
  [[nodiscard]] bool is_supervised() const noexcept override { return true; }

 private:
  void count_to_all(std::atomic<std::int32_t>& ranks, const char* what) {
    ranks.fetch_add(1, std::memory_order_seq_cst);
    shm::wake_all(home_->job());
    const auto context = home_->open_quietly();
    const int all = home_->job_number() * home_->size();
    context->wait([&] { return ranks.load(std::memory_order_seq_cst) >= all; }, never,
                  {what, -1, {}});
  }

  shm::rank_fabric* home_;
};

}  // namespace

void check_card(const shm::rank_fabric& home, std::span<const std::byte> card) {
  if (card.size() <= shm::max_card_bytes) return;
  throw fabric_error(fmt::format(
      "ucx: rank {} has an address of {} bytes, but there is space for {}: choose fewer transports "
      "or devices (UCX_TLS, UCX_NET_DEVICES)",
      home.rank(), card.size(), shm::max_card_bytes));
}

std::unique_ptr<board> make_shared_board(shm::rank_fabric& home) {
  return std::make_unique<shared_board>(home);
}

}  // namespace far::fabric::ucx
