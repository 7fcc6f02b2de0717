#pragma once
// Use of a ring in a phase in which all ranks push, or all pop, or only the host does either. Then
// the cursors of the other side stand still, so a claim that is too early stays so, and need not
// be given back: all claims behind it are too early as well. Those in time need no turn; where
// they end, all agree on when the phase ends, and the host sets its cursors there.
//
//   before:  freed = head, ready = tail      (nothing is claimed)
//   during:  pushes move tail, or pops move head, beyond the end of what is in time
//   after:   the same as before

#include <cstddef>
#include <cstdint>
#include <exception>

#include "far/containers/ring.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Only pushes. One thread of each rank; making and destroying it is collective.
class ring_writer {
 public:
  ring_writer(const world& view, const ring& where);
  ~ring_writer();
  ring_writer(const ring_writer&) = delete;
  ring_writer& operator=(const ring_writer&) = delete;

  /// All n values, or false and none. Cost: A_fao + W; nothing once it was full.
  bool try_push(const std::byte* values, std::uint64_t n);

 private:
  world view_;
  ring where_;
  std::uint64_t limit_ = 0;  // claims that end beyond are too early
  std::uint64_t end_ = 0;    // of this rank's last claim in time
  bool full_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

/// Only pops. The same otherwise.
class ring_reader {
 public:
  ring_reader(const world& view, const ring& where);
  ~ring_reader();
  ring_reader(const ring_reader&) = delete;
  ring_reader& operator=(const ring_reader&) = delete;

  /// The oldest values, up to n; how many. Cost: A_fao + R; nothing once it was empty.
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);

 private:
  world view_;
  ring where_;
  std::uint64_t limit_ = 0;
  std::uint64_t end_ = 0;
  bool empty_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

/// Only one thread of the host, by plain loads and stores.
class ring_local {
 public:
  /// Errors: bad_argument on other ranks.
  ring_local(const world& view, const ring& where);

  bool try_push(const std::byte* values, std::uint64_t n);
  std::uint64_t try_pop(std::byte* values, std::uint64_t n);

 private:
  ring where_;
  ring_cursors* cursors_;
  std::byte* slots_;
};

}  // namespace far::containers
