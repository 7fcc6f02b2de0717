#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "far/fabric/sim/explorer.hpp"
#include "far/fabric/verbs.hpp"

namespace far::fabric::sim {

class rank_context;
class simulation;
using step_number = explorer::step_number;

/// A non-blocking flush that waits for operations.
struct pending_flush {
  completion* done = nullptr;
  std::size_t left = 0;
  std::vector<step_number> causes = {};  // steps at which they took place
};

enum class operation_kind : std::uint8_t { put, get, amo };

/// A part of a put or get that takes place by itself. `where`: its remote side.
struct piece {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::uint64_t bytes = 0;
  address where;
};

/// A put, get or amo from its issue until it has taken place at its target. Events hold it by its
/// address: the last of them gives its record back.
struct operation {
  operation_kind kind = operation_kind::put;
  bool at_once = false;  // takes place inside the issuing call
  int origin = 0;
  int target = 0;
  rank_context* issuer = nullptr;  // null: its context is gone, and so may its buffers be
  std::uint64_t bytes = 0;
  completion* done = nullptr;
  completion* source = nullptr;
  std::size_t pieces = 0;
  std::size_t pieces_left = 0;
  operation* next = nullptr;  // in the issuer's list
  operation* previous = nullptr;

  piece first;          // most have no other
  amo_request request;  // of an amo
  std::optional<signal> after;
  std::vector<piece> others;
  std::vector<step_number> steps;  // at which its pieces took place
  std::vector<std::byte> copy;     // of the payload, where the caller's buffer was freed early
  std::vector<std::shared_ptr<pending_flush>> flushes;

  [[nodiscard]] const piece& piece_at(std::size_t index) const {
    return index == 0 ? first : others[index - 1];
  }
  void add(const piece& part) {
    if (pieces++ == 0) {
      first = part;
    } else {
      others.push_back(part);
    }
  }
};

/// Moves a piece's bytes, or performs the atomic, whose only piece it is.
void take_place(const operation& op, const piece& part, simulation& job);

/// The records of a job's operations. Those given back are used again, the latest first.
class operations {
 public:
  /// An operation of no pieces yet.
  operation& take() {
    if (free_.empty()) return all_.emplace_back();
    operation& op = *free_.back();
    free_.pop_back();
    return op;
  }
  void give_back(operation& op) {
    op.at_once = false;
    op.bytes = 0;
    op.source = nullptr;
    op.pieces = 0;
    op.after.reset();
    op.others.clear();
    op.steps.clear();
    std::vector<std::byte>().swap(op.copy);
    op.flushes.clear();
    free_.push_back(&op);
  }

 private:
  std::deque<operation> all_;
  std::vector<operation*> free_;
};

}  // namespace far::fabric::sim
