#pragma once
// Read-modify-writes of single words that the fabric performs, or the owner's helper, whichever is
// predicted to be cheaper.

#include <concepts>
#include <cstdint>

#include "far/fabric/reach.hpp"
#include "far/memory/ptr.hpp"
#include "far/rma/amo.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/composite.hpp"
#include "far/world/world.hpp"

namespace far {

/// What performs a read-modify-write.
enum class rmw_way : std::uint8_t {
  automatic,  ///< the cheaper of the others by its predicted cost
  fabric,     ///< instructions where they reach the word, else the network interface
  helper,     ///< whatever makes progress on the owner, for a message
};

/// Integers of 4 and 8 bytes.
template <class T>
concept rmw_word = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// Predicted costs in ns, and the way that `automatic` takes.
struct rmw_costs {
  rmw_way how = rmw_way::fabric;
  double fabric = 0;
  double helper = 0;
};

namespace sections {

/// `op` is add or swap.
[[nodiscard]] rmw_costs costs_of_rmw(const world& world, fabric::address word, fabric::amo_op op);
/// Whether the helper is to do it. Of words that instructions reach, decided without a call.
[[nodiscard]] inline bool is_for_helper(const world& world, fabric::address word, fabric::amo_op op,
                                        rmw_way wanted) {
  if (wanted != rmw_way::automatic) return wanted == rmw_way::helper;
  if (fabric::reached(world.atomics(), word) != nullptr) return false;
  return costs_of_rmw(world, word, op).how == rmw_way::helper;
}
/// By the helper: a future of the old value.
[[nodiscard]] future<std::uint64_t> start_by_helper(const world& world,
                                                    const fabric::amo_request& request);

template <rmw_word T>
[[nodiscard]] future<T> start_by_helper(const world& world, fabric::amo_op op, ptr<T> word,
                                        T operand) {
  fabric::amo_request request;
  request.word = word.address();
  request.op = op;
  request.bytes = sizeof(T);
  request.is_signed = std::signed_integral<T>;
  request.operand = rma::to_operand(operand);
  return start_by_helper(world, request).then([](std::uint64_t old) {
    return rma::from_operand<T>(old);
  });
}

}  // namespace sections

/// Adds to a word of any rank; returns its old value.
///
/// Completion, Ordering: as those of atomic_ref, with which both ways are atomic.
/// Progress: by the helper, the owner must make progress or have a service thread.
/// Threads: any, each with its own view.
/// Cost: one instruction where they reach the word; else A_fao or M. far::costs_of_fetch_add tells.
/// Errors: out_of_bounds, bad_argument for a word that is not aligned; rank_failed where it waits.
/// Source: J. Nieplocha et al., host-assisted zero-copy remote memory access, 2003, section 4.3.
/// Checked by: sections_read_modify_write_test.both_ways_count_exactly
template <rmw_word T>
T fetch_add(const world& world, ptr<T> word, std::type_identity_t<T> addend,
            rmw_way how = rmw_way::automatic) {
  constexpr auto op = fabric::amo_op::add;
  if (sections::is_for_helper(world, word.address(), op, how)) {
    return sections::start_by_helper<T>(world, op, word, addend).get();
  }
  return atomic_ref<T>(world, word).fetch_add(addend);
}
template <rmw_word T>
[[nodiscard]] future<T> fetch_add_async(const world& world, ptr<T> word,
                                        std::type_identity_t<T> addend,
                                        rmw_way how = rmw_way::automatic) {
  constexpr auto op = fabric::amo_op::add;
  if (sections::is_for_helper(world, word.address(), op, how)) {
    return detail::completed_by_flush(word.rank(),
                                      sections::start_by_helper<T>(world, op, word, addend));
  }
  return atomic_ref<T>(world, word).fetch_add_async(addend);
}

/// Replaces a word of any rank; returns its old value. Otherwise as fetch_add, with A_cas for
/// A_fao. Checked by: sections_read_modify_write_test.swaps_lose_nothing
template <rmw_word T>
T exchange(const world& world, ptr<T> word, std::type_identity_t<T> value,
           rmw_way how = rmw_way::automatic) {
  constexpr auto op = fabric::amo_op::swap;
  if (sections::is_for_helper(world, word.address(), op, how)) {
    return sections::start_by_helper<T>(world, op, word, value).get();
  }
  return atomic_ref<T>(world, word).exchange(value);
}
template <rmw_word T>
[[nodiscard]] future<T> exchange_async(const world& world, ptr<T> word,
                                       std::type_identity_t<T> value,
                                       rmw_way how = rmw_way::automatic) {
  constexpr auto op = fabric::amo_op::swap;
  if (sections::is_for_helper(world, word.address(), op, how)) {
    return detail::completed_by_flush(word.rank(),
                                      sections::start_by_helper<T>(world, op, word, value));
  }
  return atomic_ref<T>(world, word).exchange_async(value);
}

/// What the two ways are predicted to cost for a word, and which one is taken.
/// Checked by: sections_read_modify_write_clock_test.the_cheaper_way_is_taken
template <rmw_word T>
[[nodiscard]] rmw_costs costs_of_fetch_add(const world& world, ptr<T> word) {
  return sections::costs_of_rmw(world, word.address(), fabric::amo_op::add);
}
template <rmw_word T>
[[nodiscard]] rmw_costs costs_of_exchange(const world& world, ptr<T> word) {
  return sections::costs_of_rmw(world, word.address(), fabric::amo_op::swap);
}

}  // namespace far
