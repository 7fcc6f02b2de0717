// Monitors and volatile fields. What may wait for long is outside of all other spaces.

#include "far/c/monitor.h"

#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "bindings/c/atomics.hpp"
#include "bindings/c/deadline.hpp"
#include "bindings/c/space.hpp"

namespace far::c {
namespace {

using objects::place;

constexpr std::uint32_t all_waiting = std::numeric_limits<std::uint32_t>::max();

template <class T>
volatile_field<T> field_of(far_space* space, place object, std::size_t offset) {
  if (offset % sizeof(T) != 0) {
    throw bad_argument(fmt::format(
        "far_volatile: the field of {} bytes at offset {} is not aligned", sizeof(T), offset));
  }
  return {space_here(space), object, offset};
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_monitor_enter(far_space* space, far_ref object) {
  return guarded([&] {
    auto& view = space_here(space);
    lane_here().outside([&] { view.enter(place(object)); }, &view);
  });
}

far_status far_monitor_try_enter(far_space* space, far_ref object, int* entered) {
  return guarded([&] {
    check_not_null(entered, "far_monitor_try_enter: the result");
    *entered = space_here(space).try_enter(place(object)) ? 1 : 0;
  });
}

far_status far_monitor_exit(far_space* space, far_ref object) {
  return guarded([&] { space_here(space).exit(place(object)); });
}

int far_monitor_is_held(far_space* space, far_ref object) {
  int held = 0;
  const far_status status = guarded([&] { held = space_here(space).is_in(place(object)) ? 1 : 0; });
  return status == FAR_OK ? held : 0;
}

far_status far_monitor_wait(far_space* space, far_ref object, uint64_t timeout_ns,
                            far_wait_end* end) {
  return guarded([&] {
    auto& view = space_here(space);
    lane& mine = lane_here();
    far_wait_end how = FAR_TIMED_OUT;
    const auto wait = [&] {
      const auto deadline = mine.interrupted ? 0 : deadline_of(view.world(), timeout_ns);
      if (view.wait(place(object), deadline, &mine.interrupted)) how = FAR_NOTIFIED;
    };
    mine.outside(wait, &view);
    if (how == FAR_TIMED_OUT && mine.interrupted.exchange(false)) how = FAR_WAIT_INTERRUPTED;
    if (end != nullptr) *end = how;
  });
}

int far_attachment_number(void) {
  const lane* const mine = lane_slot();
  return mine == nullptr ? -1 : mine->world().thread();
}

far_status far_interrupt_wait(far_space* space, int attachment) {
  return guarded([&] {
    const auto& view = space_here(space);
    session_here().for_each_lane([&](lane& each) {
      if (each.world().thread() == attachment) each.interrupted = true;
    });
    view.wake_waits();
  });
}

far_status far_monitor_lend(far_space* space, far_ref object) {
  return guarded([&] { space_here(space).lend(place(object)); });
}

far_status far_monitor_borrow(far_space* space, far_ref object) {
  return guarded([&] { space_here(space).borrow(place(object)); });
}

far_status far_monitor_notify(far_space* space, far_ref object) {
  return guarded([&] { space_here(space).notify(place(object), 1); });
}

far_status far_monitor_notify_all(far_space* space, far_ref object) {
  return guarded([&] { space_here(space).notify(place(object), all_waiting); });
}

far_status far_volatile(far_space* space, far_ref object, size_t offset, int width, int op,
                        uint64_t operand, uint64_t compare, uint64_t* old) {
  return guarded([&] {
    perform_atomic("far_volatile", width, {op, operand, compare, old},
                   [&]<class T>() { return field_of<T>(space, place(object), offset); });
  });
}

far_status far_volatile_element(far_space* space, far_ref array, uint64_t i, int width, int op,
                                uint64_t operand, uint64_t compare, uint64_t* old) {
  return guarded([&] {
    perform_atomic("far_volatile_element", width, {op, operand, compare, old}, [&]<class T>() {
      const auto at = far::objects::find_element(place(array), i, sizeof(T));
      return field_of<T>(space, at.region, at.number * sizeof(T));
    });
  });
}
}
