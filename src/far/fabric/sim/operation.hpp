#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "far/fabric/sim/event.hpp"
#include "far/fabric/sim/explorer.hpp"
#include "far/fabric/verbs.hpp"

namespace far::fabric::sim {

class rank_context;
using step_number = explorer::step_number;

/// A non-blocking flush that waits for operations.
struct pending_flush {
  completion* done = nullptr;
  std::size_t left = 0;
  std::vector<step_number> causes = {};  // steps at which they took place
};

enum class operation_kind : std::uint8_t { put, get, amo };

/// A part of an operation that takes place by itself, and where.
struct piece {
  event take_place;
  address where;
  std::uint64_t bytes;
};

/// A put, get or amo from its issue until it has taken place at its target.
struct operation {
  operation_kind kind = operation_kind::put;
  rank_context* issuer = nullptr;  // null: its context is gone, and so may its buffers be
  int target = 0;
  std::uint64_t bytes = 0;
  amo_request request;  // of an amo
  std::uint32_t number = 0;
  std::size_t place = 0;  // in the issuer's list
  completion* done = nullptr;
  completion* source = nullptr;
  std::optional<signal> after;
  std::vector<piece> pieces;
  std::size_t pieces_left = 0;
  bool at_once = false;            // takes place inside the issuing call
  std::vector<step_number> steps;  // at which its pieces took place
  std::vector<std::byte> copy;     // of the payload, where the caller's buffer was freed early
  std::vector<std::shared_ptr<pending_flush>> flushes;
};

}  // namespace far::fabric::sim
