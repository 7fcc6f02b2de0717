#pragma once
// Put and get of N-dimensional sections and of lists of segments. docs/sections.md explains them.

#include <cstddef>
#include <string>
#include <type_traits>

#include "far/memory/ptr.hpp"
#include "far/rma/future.hpp"
#include "far/sections/make_plan.hpp"
#include "far/sections/protocol.hpp"
#include "far/sections/run.hpp"
#include "far/sections/strided.hpp"
#include "far/world/world.hpp"

namespace far {

// For all of these:
// Completion: blocking calls return when the transfer is complete: a put remotely. A future is
//   ready at the same moment; until then the local side must live, and must not be changed (put)
//   or accessed (get). The descriptions need not live.
// Ordering: as the transfers of far/rma (docs/memory_model.md, axioms 5, 8 and 27), whatever
//   protocol is used. The elements of one transfer move in any order.
// Progress: this thread must wait or poll; packed, also the owner's threads or its service thread.
// Threads: any, each with its own view.
// Errors: bad_argument and out_of_bounds before anything moves (where the owner's node is another
//   one, out_of_bounds may come from the future); out_of_memory; rank_failed where it waits.

/// Writes the elements of `from` to those of `to` with the same indices. Both have the same
/// extents, and any strides; no two elements of `to` may coincide, and the sides must not overlap.
///
/// Cost: direct, a copy of each row; per segment, W and a part of it for each further segment;
///   packed, M, and R if it is more than about 8 KB. far::explain tells which, and why.
/// Source: J. Nieplocha et al., host-assisted zero-copy remote memory access, 2003, for the kinds
///   of transfers and of protocols.
/// Checked by: sections_transfer_test.random_sections, sections_transfer_test.protocols_agree
/// Checked by: sections_transfer_test.bad_input_is_refused
template <remote_object T, class U, std::size_t N>
  requires(!std::is_const_v<T> && std::is_same_v<std::remove_const_t<U>, T>)
void put(const world& world, const strided<ptr<T>, N>& to, const strided<U*, N>& from,
         section_protocol how = section_protocol::automatic) {
  sections::run(world, {section_operation::put, how},
                sections::plan_of("put", sections::written::there, to, from));
}
template <remote_object T, class U, std::size_t N>
  requires(!std::is_const_v<T> && std::is_same_v<std::remove_const_t<U>, T>)
[[nodiscard]] future<void> put_async(const world& world, const strided<ptr<T>, N>& to,
                                     const strided<U*, N>& from,
                                     section_protocol how = section_protocol::automatic) {
  return sections::start(world, {section_operation::put, how},
                         sections::plan_of("put", sections::written::there, to, from));
}

/// Reads the elements of `from` into those of `to` with the same indices. Otherwise as put; no two
/// elements of `to` may coincide.
/// Checked by: sections_transfer_test.random_sections, sections_transfer_test.protocols_agree
/// Checked by: sections_transfer_test.bad_input_is_refused
template <remote_object T, class U, std::size_t N>
  requires(std::is_same_v<std::remove_const_t<T>, U>)
void get(const world& world, const strided<ptr<T>, N>& from, const strided<U*, N>& to,
         section_protocol how = section_protocol::automatic) {
  sections::run(world, {section_operation::get, how},
                sections::plan_of("get", sections::written::here, from, to));
}
template <remote_object T, class U, std::size_t N>
  requires(std::is_same_v<std::remove_const_t<T>, U>)
[[nodiscard]] future<void> get_async(const world& world, const strided<ptr<T>, N>& from,
                                     const strided<U*, N>& to,
                                     section_protocol how = section_protocol::automatic) {
  return sections::start(world, {section_operation::get, how},
                         sections::plan_of("get", sections::written::here, from, to));
}

/// Lists: writes the elements of the segments `from`, one segment after the other, to those of the
/// segments `to`. The sides may cut the elements into segments differently, and the remote ones may
/// be of any ranks. `to` is a range of far::remote_segment, `from` a range of spans or vectors.
/// Where remote segments overlap, which of their values is left is unspecified.
///
/// Errors: bad_argument if the sides have different numbers of elements.
/// Checked by: sections_vector_test.random_lists, sections_vector_test.bad_lists_are_refused
template <sections::remote_list Remote, class Local>
  requires sections::local_list<Local, const sections::element_in<Remote>>
void put(const world& world, const Remote& to, const Local& from,
         section_protocol how = section_protocol::automatic) {
  sections::run(world, {section_operation::put, how},
                sections::plans_of<const sections::element_in<Remote>>("put", to, from));
}
template <sections::remote_list Remote, class Local>
  requires sections::local_list<Local, const sections::element_in<Remote>>
[[nodiscard]] future<void> put_async(const world& world, const Remote& to, const Local& from,
                                     section_protocol how = section_protocol::automatic) {
  return sections::start(world, {section_operation::put, how},
                         sections::plans_of<const sections::element_in<Remote>>("put", to, from));
}
/// The same from remote segments to local ones, which must not overlap.
/// Checked by: sections_vector_test.random_lists, sections_vector_test.bad_lists_are_refused
template <sections::remote_list Remote, class Local>
  requires sections::local_list<Local, std::remove_const_t<sections::element_in<Remote>>>
void get(const world& world, const Remote& from, Local&& to,
         section_protocol how = section_protocol::automatic) {
  using element = std::remove_const_t<sections::element_in<Remote>>;
  sections::run(world, {section_operation::get, how}, sections::plans_of<element>("get", from, to));
}
template <sections::remote_list Remote, class Local>
  requires sections::local_list<Local, std::remove_const_t<sections::element_in<Remote>>>
[[nodiscard]] future<void> get_async(const world& world, const Remote& from, Local&& to,
                                     section_protocol how = section_protocol::automatic) {
  using element = std::remove_const_t<sections::element_in<Remote>>;
  return sections::start(world, {section_operation::get, how},
                         sections::plans_of<element>("get", from, to));
}

/// How a put, get or accumulate of these sections would be performed: what each protocol is
/// predicted to cost, which one is chosen, and why. A few lines of text.
/// Checked by: sections_protocol_test.explains_itself
template <remote_object T, class U, std::size_t N>
  requires(std::is_same_v<std::remove_const_t<T>, std::remove_const_t<U>>)
[[nodiscard]] std::string explain(const world& world, section_operation operation,
                                  const strided<ptr<T>, N>& there, const strided<U*, N>& here) {
  const auto target =
      operation == section_operation::get ? sections::written::here : sections::written::there;
  return sections::explain(world, operation, sections::plan_of("explain", target, there, here));
}
/// The same for lists, rank by rank.
/// Checked by: sections_protocol_test.explains_itself
template <sections::remote_list Remote, class Local>
  requires sections::local_list<Local, const sections::element_in<Remote>>
[[nodiscard]] std::string explain(const world& world, section_operation operation,
                                  const Remote& there, const Local& here) {
  return sections::explain(
      world, operation,
      sections::plans_of<const sections::element_in<Remote>>("explain", there, here));
}

}  // namespace far
