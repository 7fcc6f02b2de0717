#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "far/fabric/sim/explore/explorer.hpp"
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
///
/// Of thousands under way at a time, each step finds its record outside the caches, so it is three
/// lines of them, and what few operations have lies apart.
struct alignas(64) operation {
  operation_kind kind = operation_kind::put;
  bool at_once = false;  // takes place inside the issuing call
  bool served = false;   // by the clock: what is left is the way back
  bool has_more = false;
  int origin = 0;
  int target = 0;
  std::uint32_t pieces = 0;
  rank_context* issuer = nullptr;  // null: its context is gone, and so may its buffers be
  std::uint64_t bytes = 0;
  completion* done = nullptr;
  completion* source = nullptr;
  operation* next = nullptr;  // in the issuer's list
  operation* previous = nullptr;

  piece first;              // most have no other
  std::uint64_t word = 0;   // by the clock: the bytes of a small one, while it is away
  void* landing = nullptr;  // where they go in the end
  std::uint32_t pieces_left = 0;
  std::optional<signal> after;
  amo_request request;  // of an amo

  [[nodiscard]] bool is_loose() const noexcept {
    return kind == operation_kind::amo && request.loose;
  }

  /// What few have.
  struct rest {
    std::vector<piece> others;
    std::vector<step_number> steps;  // at which its pieces took place
    std::vector<std::byte> copy;     // of the payload, where the caller's buffer was freed early
    std::vector<std::shared_ptr<pending_flush>> flushes;
  };

  rest& more() {
    if (more_ == nullptr) more_ = std::make_unique<rest>();
    has_more = true;
    return *more_;
  }
  [[nodiscard]] std::span<const step_number> steps() const {
    return has_more ? std::span<const step_number>(more_->steps) : std::span<const step_number>();
  }
  [[nodiscard]] const piece& piece_at(std::size_t index) const {
    return index == 0 ? first : more_->others[index - 1];
  }
  void add(const piece& part) {
    if (pieces++ == 0) {
      first = part;
    } else {
      more().others.push_back(part);
    }
  }

 private:
  std::unique_ptr<rest> more_;  // whose memory the record keeps
};

/// Most transfers are of a word, which needs no call.
inline void copy(void* to, const void* from, std::uint64_t bytes) noexcept {
  if (bytes == sizeof(std::uint64_t)) {
    std::memcpy(to, from, sizeof(std::uint64_t));
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// Moves a piece's bytes, or performs the atomic, whose only piece it is.
void take_place(const operation& op, const piece& part, simulation& job);

/// Ahead of an operation's next event: has what that works on brought into the processor's caches,
/// and then what lies behind it. The record is there already.
void prefetch_near(const operation& op);
void prefetch_far(const operation& op, const scheduler& schedule);

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
    op.served = false;
    op.bytes = 0;
    op.source = nullptr;
    op.pieces = 0;
    op.landing = nullptr;
    op.after.reset();
    if (op.has_more) {
      operation::rest& more = op.more();
      more.others.clear();
      more.steps.clear();
      std::vector<std::byte>().swap(more.copy);
      more.flushes.clear();
      op.has_more = false;
    }
    free_.push_back(&op);
  }

 private:
  std::deque<operation> all_;
  std::vector<operation*> free_;
};

}  // namespace far::fabric::sim
