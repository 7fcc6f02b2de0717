#pragma once
// y += a x, where y is remote memory. docs/sections.md explains it.

#include <cstddef>
#include <type_traits>

#include "far/memory/ptr.hpp"
#include "far/rma/future.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/make_plan.hpp"
#include "far/sections/protocol.hpp"
#include "far/sections/run.hpp"
#include "far/sections/strided.hpp"
#include "far/world/world.hpp"

namespace far {

/// Adds a * x to y for the elements with the same indices, of int, long, float, double, or complex
/// numbers of both. Both sides have the same extents, and any strides; no two elements of y may
/// coincide.
///
/// Atomicity: each element is updated at once with respect to all other accumulates, from any rank
///   and by any protocol, and nothing else: put, get and atomic_ref do not exclude it, nor it them.
///   Integers wrap around. The order in which updates of one element are added is unspecified.
/// Completion, Ordering, Progress, Threads, Errors: as put of a section (transfer.hpp). A function
///   that another rank's function has called cannot accumulate (bad_argument).
/// Cost: where instructions reach y: A_cas + A_fao, and a pass over the elements, 1 MB under one
///   lock; one lock for the memory of each rank. Elsewhere the owner's processor adds slices of at
///   most 64 KB: M each, and R if they are more than about 8 KB.
/// Checked by: sections_accumulate_test.all_ranks_at_the_same_place
/// Checked by: sections_accumulate_test.protocols_exclude_each_other
/// Checked by: sections_accumulate_failure_test.deaths_are_told
template <accumulable T, class U, std::size_t N>
  requires(std::is_same_v<std::remove_const_t<U>, T>)
void accumulate(const world& world, const strided<ptr<T>, N>& y, std::type_identity_t<T> a,
                const strided<U*, N>& x, section_protocol how = section_protocol::automatic) {
  sections::run(world,
                {section_operation::accumulate, how, sections::scaling::by<T>(a), alignof(T)},
                sections::plan_of("accumulate", sections::written::there, y, x));
}
/// Non-blocking. If the lock of reached memory is taken at the moment, the bytes are sent to the
/// owner. With section_protocol::per_segment it blocks.
/// Checked by: sections_accumulate_test.futures
template <accumulable T, class U, std::size_t N>
  requires(std::is_same_v<std::remove_const_t<U>, T>)
[[nodiscard]] future<void> accumulate_async(const world& world, const strided<ptr<T>, N>& y,
                                            std::type_identity_t<T> a, const strided<U*, N>& x,
                                            section_protocol how = section_protocol::automatic) {
  return sections::start(
      world, {section_operation::accumulate, how, sections::scaling::by<T>(a), alignof(T)},
      sections::plan_of("accumulate", sections::written::there, y, x));
}

/// Lists, as those of put. Remote segments may overlap: every element is added.
/// Checked by: sections_vector_test.accumulates_of_lists
template <sections::remote_list Remote, class Local>
  requires accumulable<sections::element_in<Remote>> &&
           sections::local_list<Local, const sections::element_in<Remote>>
void accumulate(const world& world, const Remote& y,
                std::type_identity_t<sections::element_in<Remote>> a, const Local& x,
                section_protocol how = section_protocol::automatic) {
  using T = sections::element_in<Remote>;
  sections::run(world,
                {section_operation::accumulate, how, sections::scaling::by<T>(a), alignof(T)},
                sections::plans_of<const T>("accumulate", y, x));
}
template <sections::remote_list Remote, class Local>
  requires accumulable<sections::element_in<Remote>> &&
           sections::local_list<Local, const sections::element_in<Remote>>
[[nodiscard]] future<void> accumulate_async(const world& world, const Remote& y,
                                            std::type_identity_t<sections::element_in<Remote>> a,
                                            const Local& x,
                                            section_protocol how = section_protocol::automatic) {
  using T = sections::element_in<Remote>;
  return sections::start(
      world, {section_operation::accumulate, how, sections::scaling::by<T>(a), alignof(T)},
      sections::plans_of<const T>("accumulate", y, x));
}

}  // namespace far
