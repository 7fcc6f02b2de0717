#pragma once
// Where ranks leave what the others must know before they can talk.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "far/fabric/shm/rank_fabric.hpp"

namespace far::fabric::ucx {

class board {
 public:
  board() = default;
  virtual ~board() = default;
  board(const board&) = delete;
  board& operator=(const board&) = delete;

  /// Collective: leaves this rank's card, and returns once all have left theirs.
  virtual void exchange(std::span<const std::byte> card) = 0;
  /// The card of a rank. Errors: fabric_error.
  [[nodiscard]] virtual std::vector<std::byte> card(int rank) = 0;
  /// Collective: returns once all have come, without a packet of UCX.
  virtual void meet() = 0;
  [[nodiscard]] virtual bool is_of_one_machine() const noexcept = 0;
  /// Whether launchers watch over every rank's process, and tell the job which one died.
  [[nodiscard]] virtual bool is_supervised() const noexcept = 0;
};

/// For this process's job.
std::unique_ptr<board> make_board(shm::rank_fabric& home);
/// In the mapping of a job that has one for all.
std::unique_ptr<board> make_shared_board(shm::rank_fabric& home);
/// In the rosters of a job that launchers of several machines have started.
std::unique_ptr<board> make_roster_board(shm::rank_fabric& home);

/// Errors: fabric_error for a card that is too long for the mapping.
void check_card(const shm::rank_fabric& home, std::span<const std::byte> card);

}  // namespace far::fabric::ucx
