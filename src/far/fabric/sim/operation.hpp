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
  rank_context* of = nullptr;  // null: it has been closed
  std::size_t left = 0;
  std::vector<step_number> causes = {};  // the steps at which these operations took place
};

enum class operation_kind : std::uint8_t { put, get, amo };

/// A part of a put or get that takes place separately. `where` is its remote address.
struct piece {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::uint64_t bytes = 0;
  address where;
};

/// A put, get or amo, from its issue until it has taken place at its target. Events hold its
/// address; the last of them releases the record.
///
/// With thousands of operations in flight, each step finds its record outside the caches. So what
/// most operations use fits three cache lines, and the rest is kept apart.
struct alignas(64) operation {
  operation_kind kind = operation_kind::put;
  bool at_once = false;  // takes place inside the issuing call
  bool served = false;   // with the clock: has taken place; only the way back is left
  bool has_more = false;
  int origin = 0;
  int target = 0;
  std::uint32_t pieces = 0;
  rank_context* issuer = nullptr;  // null: its context is closed, and its buffers may be gone
  std::uint64_t bytes = 0;
  completion* done = nullptr;
  completion* source = nullptr;
  operation* next = nullptr;  // of the issuer's list
  operation* previous = nullptr;

  piece first;              // most operations have no other
  std::uint64_t word = 0;   // with the clock: the bytes of a small operation, while it is in flight
  void* landing = nullptr;  // where these bytes go in the end
  std::uint32_t pieces_left = 0;
  std::optional<signal> after;
  amo_request request;  // only for an amo

  [[nodiscard]] bool is_loose() const noexcept {
    return kind == operation_kind::amo && request.loose;
  }

  /// Members that few operations need.
  struct rest {
    std::vector<piece> others;
    std::vector<step_number> steps;  // the steps at which its pieces took place
    std::vector<std::byte> copy;     // of the payload, if the caller's buffer was released early
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
  std::unique_ptr<rest> more_;  // kept when the record is reused
};

/// Most transfers are one word, which needs no call of memcpy.
inline void copy(void* to, const void* from, std::uint64_t bytes) noexcept {
  if (bytes == sizeof(std::uint64_t)) {
    std::memcpy(to, from, sizeof(std::uint64_t));
  } else {
    std::memcpy(to, from, bytes);
  }
}

/// Copies the bytes of a piece, or performs the atomic, which has only one piece.
void take_place(const operation& op, const piece& part, simulation& job);

/// Prefetch for an operation's next event, after its record: first the memory that the event uses,
/// then what that memory leads to.
void prefetch_near(const operation& op);
void prefetch_far(const operation& op, const scheduler& schedule);

/// The records of a job's operations. Released records are reused, the latest first.
class operations {
 public:
  /// Returns an operation that has no pieces yet.
  operation& take() {
    if (free_.empty()) return all_.emplace_back();
    operation& op = *free_.back();
    free_.pop_back();
    return op;
  }
  void release(operation& op) {
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
