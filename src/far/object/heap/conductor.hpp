#pragma once
// A collection, from the side of the thread that conducts it. The steps are in collector.hpp.
//
// Ranks answer each step. So no message of a collection is in flight when it ends, and everything
// is marked when no rank has more to do and no references are on their way.

#include <cstdint>
#include <memory>

#include "far/fabric/message.hpp"
#include "far/homes/message.hpp"
#include "far/object/collections.hpp"
#include "far/object/heap/collector.hpp"
#include "far/world/world.hpp"

namespace far::objects {

enum class collect_step : std::uint8_t {
  ask,
  end,
  stop,
  await,
  recall,
  begin,
  mark,
  sweep,
  resume
};

struct collect_message {
  homes::object_id object;
  collect_step step;
  std::int32_t late;         ///< end: conductor_lock_answer::late
  std::uint32_t reached;     ///< mark: references, which follow
  std::uint64_t resumed;     ///< ask
  collection_counts counts;  ///< resume

  static void receive(const std::shared_ptr<part>& of, const collect_message& header,
                      fabric::message& message);
};

/// Acquires the conductor lock. If another thread conducts a collection, waits until that has
/// ended.
[[nodiscard]] conductor_lock_answer acquire_conductor_lock(const world& world, const part& of,
                                                           std::uint64_t resumed);

/// Collects, and releases the conductor lock. Returns the rank for which the collection has been
/// called off, because a thread there did not stop, or -1. Errors: rank_failed.
int conduct(const world& world, part& of);

}  // namespace far::objects
