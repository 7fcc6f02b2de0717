#pragma once
// The messages of the coherence protocol.
//
//   want      request, thread -> home      a right to some chunks, or (none) their eviction
//   grant     forward, home -> holder      a right, with the data if they fit
//   recall    forward, home -> holder      give up a right; the reply has the data
//   continues request, to the rank itself  its own right to a chunk is revoked: the home goes on
//   lock, unlock  request, thread -> home  locks of elements
//
// A message that is malformed ends the job with one line: nothing that follows could be right.
// Checked by: cached_messages_death_test.a_list_is_cut_off

#include <cstdint>
#include <memory>

#include "far/array/cached/access.hpp"
#include "far/array/cached/element_locks.hpp"
#include "far/array/cached/outbox.hpp"
#include "far/array/operators.hpp"
#include "far/fabric/message.hpp"
#include "far/homes/message.hpp"
#include "far/world/world.hpp"

namespace far::cached {

struct part;

struct want_header {
  homes::object_id object;
  right what;
  bool may_choose;      ///< as in want
  std::uint32_t count;  ///< of want_items, which follow
  fill_report report;   ///< of the first one's region

  static void receive(const std::shared_ptr<part>& of, const want_header& header,
                      fabric::message& message);
};
struct want_item {
  std::uint64_t chunk;
  fabric::address line;
  std::uint64_t number;
  std::uint64_t copy;
};
struct grant_header {
  homes::object_id object;
  right what;
  bool with_data;  ///< the chunk's data follow, or are in the line already
  std::uint64_t chunk;
  std::uint64_t number;

  static void receive(const std::shared_ptr<part>& of, const grant_header& header,
                      fabric::message& message);
};
struct recall_header {
  homes::object_id object;
  right from;
  right keep;
  bool eviction;
  std::uint64_t chunk;
  std::uint64_t number;

  static void receive(const std::shared_ptr<part>& of, const recall_header& header,
                      fabric::message& message);
  static void receive_without(const recall_header& header, fabric::message& message);
};
struct continues_header {
  homes::object_id object;
  std::uint64_t chunk;

  static void receive(const std::shared_ptr<part>& of, const continues_header& header,
                      fabric::message& message);
};
struct lock_header {
  homes::object_id object;
  lock_request what;
  std::uint64_t index;

  static void receive(const std::shared_ptr<part>& of, const lock_header& header,
                      fabric::message& message);
  static void receive_without(const lock_header&, fabric::message& message);
};
struct unlock_header {
  homes::object_id object;
  bool is_shared;
  std::uint64_t index;

  static void receive(const std::shared_ptr<part>& of, const unlock_header& header,
                      fabric::message& message);
};

/// End the job unless the part has such a chunk, or is its home.
void check_chunk(const part& of, std::uint64_t chunk) noexcept;
void check_own_chunk(const part& of, std::uint64_t chunk) noexcept;
void check_right(right what) noexcept;

/// The handler of wants for right::operate; each operator has its own, which names it.
void receive_want(fabric::message& message, const operation* op);

template <class T, class Op>
struct operate_request {
  static void run(fabric::message& message) { receive_want(message, &operation_of<T, Op>); }
};

/// Waits until this rank has the lock; false if a try has failed. Errors: rank_failed.
bool lock_element(const world& world, int home, const lock_header& what);
/// For a lock whose home has gone. Errors: bad_argument.
[[noreturn]] void throw_no_lock(int home, std::uint64_t index);
/// Sends the unlock, and does not wait. Errors: rank_failed.
void unlock_element(const world& world, int home, const unlock_header& what);

}  // namespace far::cached
