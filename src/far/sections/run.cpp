#include "far/sections/run.hpp"

#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/rma/composite.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/call.hpp"
#include "far/sections/accumulate_origin.hpp"
#include "far/sections/assisted.hpp"
#include "far/sections/costs.hpp"
#include "far/sections/one_sided.hpp"
#include "far/sections/packed.hpp"
#include "far/sections/registration.hpp"

namespace far::sections {
namespace {

void check_alignment(const order& what, fabric::address there) {
  if (there.offset() % what.element_alignment == 0) return;
  throw bad_argument(
      fmt::format("accumulate at offset {} of rank {}: its elements must be aligned to {} bytes",
                  there.offset(), there.rank(), what.element_alignment));
}

void check(const world& world, const order& what, const plan& of) {
  const fabric::fabric& fabric = world.fabric();
  if (of.is_list()) {
    for (const piece& p : of.pieces()) {
      fabric.check_bounds(p.there, p.bytes);
      check_alignment(what, p.there);
    }
  } else {
    fabric.check_bounds(of.there(), of.form().span_there());
    check_alignment(what, of.there());
  }
  // To unlock, or to send, an accumulate may have to call the owner.
  if (what.operation == section_operation::accumulate) (void)detail::class_of_call(world);
}

/// Counts the local memory that a transfer meets, and registers it where others access it.
void meet(const world& world, const plan& of, section_protocol how) {
  if (how == section_protocol::direct) return;
  auto& memory = registered_memory::of(world);
  const bool is_copied = how == section_protocol::packed || how == section_protocol::pipelined;
  is_copied ? memory.meet_by_copy() : memory.meet(world, of);
}

/// The caller waits for it.
future<void> start_blocking(const world& world, const order& what, const plan& of,
                            section_protocol how) {
  meet(world, of, how);
  const slicing cut = how == section_protocol::pipelined
                          ? pipeline_of(slice_of_pipeline(world, what.operation, of))
                          : slicing{};
  const bool is_buffered = how == section_protocol::packed || how == section_protocol::pipelined;
  const bool is_direct = how == section_protocol::direct;
  const bool is_assisted = how == section_protocol::host_assisted;
  switch (what.operation) {
    case section_operation::put:
      if (is_buffered) return start_packed_put(world, of, cut);
      if (is_assisted) return start_assisted_put(world, of);
      if (!is_direct) return start_put_per_segment(world, of);
      put_directly(world, of);
      break;
    case section_operation::get:
      if (is_buffered) return start_packed_get(world, of, cut);
      if (is_assisted) return start_assisted_get(world, of);
      if (!is_direct) return start_get_per_segment(world, of);
      get_directly(world, of);
      break;
    case section_operation::accumulate:
      if (is_buffered) return start_packed_accumulate(world, of, cut, what.how);
      if (is_direct) return start_accumulate_directly(world, of, what.how);
      accumulate_per_segment(world, of, what.how);
      break;
  }
  return ready_future(world);
}

/// The caller may flush instead. Operations per segment are those of the fabric, which it flushes.
future<void> start_checked(const world& world, const order& what, const plan& of,
                           section_protocol how) {
  future<void> started = start_blocking(world, what, of, how);
  if (how == section_protocol::per_segment) return started;
  return detail::completed_by_flush(of.rank(), std::move(started));
}

}  // namespace

future<void> start(const world& world, const order& what, const plan& of) {
  if (of.bytes() == 0) return ready_future(world);
  check(world, what, of);
  return start_checked(world, what, of, choose(world, what.operation, of, what.wanted));
}

void run(const world& world, const order& what, const plan& of) {
  if (of.bytes() == 0) return;
  check(world, what, of);
  const section_protocol how = choose(world, what.operation, of, what.wanted);
  if (how == section_protocol::direct && what.operation == section_operation::accumulate) {
    return accumulate_directly(world, of, what.how);
  }
  start_blocking(world, what, of, how).get();
  if (what.operation == section_operation::get) fabric::acquire_fence();
}

future<void> start(const world& world, const order& what, const std::vector<plan>& of) {
  std::vector<section_protocol> how;
  for (const plan& p : of) {
    check(world, what, p);
    how.push_back(choose(world, what.operation, p, what.wanted));
  }
  std::vector<future<void>> all;
  for (std::size_t i = 0; i < of.size(); ++i) {
    all.push_back(start_checked(world, what, of[i], how[i]));
  }
  return when_all(world, std::move(all));
}

void run(const world& world, const order& what, const std::vector<plan>& of) {
  if (of.size() == 1) return run(world, what, of.front());
  start(world, what, of).get();
  if (what.operation == section_operation::get) fabric::acquire_fence();
}

}  // namespace far::sections
