#pragma once
// A board: where ranks publish their cards, which the others need to connect to them.

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

  /// Collective: publishes this rank's card and returns once all ranks have published theirs.
  virtual void exchange(std::span<const std::byte> card) = 0;
  /// The card of a rank. Errors: fabric_error.
  [[nodiscard]] virtual std::vector<std::byte> card(int rank) = 0;
  /// Collective: returns once all ranks have called it. Uses no UCX packets.
  virtual void rendezvous() = 0;
  [[nodiscard]] virtual bool is_of_one_machine() const noexcept = 0;
  /// Whether launchers watch every rank's process and report to the job which one died.
  [[nodiscard]] virtual bool is_supervised() const noexcept = 0;
};

/// Makes the board for this process's job.
std::unique_ptr<board> make_board(shm::rank_fabric& home);
/// In the shared mapping of a job of one machine.
std::unique_ptr<board> make_shared_board(shm::rank_fabric& home);
/// In the rosters of a job that launchers on several machines have started.
std::unique_ptr<board> make_roster_board(shm::rank_fabric& home);

/// Errors: fabric_error if the card is too long for the mapping.
void check_card(const shm::rank_fabric& home, std::span<const std::byte> card);

}  // namespace far::fabric::ucx
