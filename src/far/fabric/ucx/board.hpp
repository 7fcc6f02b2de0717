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
  /// Whether one launcher watches over every rank's process, and tells the job which one died.
  /// Then all of them are of one machine.
  [[nodiscard]] virtual bool is_of_one_machine() const noexcept = 0;
};

/// For this process's job.
std::unique_ptr<board> make_board(shm::rank_fabric& home);
/// In the mapping of a job that has one for all.
std::unique_ptr<board> make_shared_board(shm::rank_fabric& home);

}  // namespace far::fabric::ucx
