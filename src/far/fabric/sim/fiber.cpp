#include "far/fabric/sim/fiber.hpp"

#include <cxxabi.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <fmt/format.h>

#include "far/base/check.hpp"
#include "far/base/error.hpp"
#include "far/fabric/sim/prefetch.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define FAR_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FAR_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef FAR_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace far::fabric::sim {
namespace {

namespace context = boost::context;

#ifdef FAR_ADDRESS_SANITIZER
constexpr std::size_t stack_factor = 4;  // frames are several times larger
#else
constexpr std::size_t stack_factor = 1;
#endif
constexpr std::size_t stack_page = 4096;

/// A stack as AddressSanitizer describes it.
struct stack_bounds {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

/// Tells AddressSanitizer that this thread is about to run on another stack. `fake_stack` receives
/// its state of the stack that is left; null when that stack ends.
void announce_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] stack_bounds to) {
#ifdef FAR_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(fake_stack, to.bottom, to.bytes);
#endif
}

/// Must be called first on the other stack. Stores in `from` which stack was left.
void confirm_switch([[maybe_unused]] void* fake_stack, [[maybe_unused]] stack_bounds* from) {
#ifdef FAR_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fake_stack, from == nullptr ? nullptr : &from->bottom,
                                  from == nullptr ? nullptr : &from->bytes);
#endif
}

/// Frames that end without returning leave poisoned memory, which the stack's next owner must not
/// see.
void forget_marks([[maybe_unused]] stack_bounds stack) {
#ifdef FAR_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(stack.bottom, stack.bytes);
#endif
}

/// The exceptions being handled and thrown, which the C++ runtime keeps per thread of the operating
/// system (Itanium C++ ABI, __cxa_eh_globals). A fiber may suspend in a catch clause or in a
/// destructor during unwinding, so each fiber needs its own.
struct exception_state {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

/// The end of the body does not free the stack: release does, later.
struct no_deallocation {
  void deallocate(context::stack_context&) noexcept {}
};

}  // namespace

struct fiber::state final : fiber {
  state(std::function<void()> what, context::stack_context whole)
      : body(std::move(what)), memory(whole) {}
  void exchange_exceptions() noexcept;

  std::function<void()> body;
  context::stack_context memory;
  context::fiber inside;   // where the body stopped, while it is suspended
  context::fiber outside;  // where resume() was called, while the body runs
  void* thread_exceptions = abi::__cxa_get_globals();
  exception_state exceptions;
  stack_bounds stack;
  stack_bounds outside_stack;
  void* fake_stack = nullptr;
  bool ended = false;
};

fiber::state& fiber::self() noexcept { return static_cast<state&>(*this); }
const fiber::state& fiber::self() const noexcept { return static_cast<const state&>(*this); }

void fiber::state::exchange_exceptions() noexcept {
  exception_state live;
  std::memcpy(&live, thread_exceptions, sizeof(live));
  std::memcpy(thread_exceptions, &exceptions, sizeof(exceptions));
  exceptions = live;
}

namespace {

context::stack_context allocate_stack(std::size_t bytes) {
  try {
    return context::protected_fixedsize_stack(bytes).allocate();
  } catch (const std::bad_alloc&) {
    throw out_of_memory(
        fmt::format("no memory for one more simulated rank's stack of {} bytes: start fewer ranks, "
                    "or lower FAR_SIM_STACK",
                    bytes));
  }
}

}  // namespace

fiber::handle fiber::make(std::function<void()> body, std::size_t number, std::size_t stack_bytes) {
  constexpr std::size_t line = 64;  // of the cache
  constexpr std::size_t room = (sizeof(state) + line - 1) / line * line;
  const context::stack_context memory = allocate_stack(stack_factor * stack_bytes);
  auto* const end = static_cast<std::byte*>(memory.sp);
  std::byte* const bottom = end - memory.size;
  forget_marks({bottom, memory.size});
  // Then what a switch touches, the body's latest frames and this record, is on one page.
  std::byte* const top = end - number * 5 * line % (stack_page / 2) - room;
  auto* const made = ::new (top) state(std::move(body), memory);
  state& s = *made;
  s.stack = {bottom, static_cast<std::size_t>(top - bottom)};
  s.inside = context::fiber(std::allocator_arg, context::preallocated(top, s.stack.bytes, memory),
                            no_deallocation(), [&s](context::fiber&& outside) {
                              confirm_switch(nullptr, &s.outside_stack);
                              s.outside = std::move(outside);
                              s.body();
                              s.body = nullptr;  // destroys captured objects while there is a stack
                              s.ended = true;
                              announce_switch(nullptr, s.outside_stack);
                              return std::move(s.outside);
                            });
  return handle(made);
}

void fiber::release::operator()(fiber* ended) const noexcept {
  state& s = ended->self();
  FAR_CHECK(s.ended, "a fiber was dropped before its body ended");
  context::stack_context memory = s.memory;
  forget_marks(s.stack);
  s.~state();
  context::protected_fixedsize_stack(memory.size).deallocate(memory);
}

// The lowest page of the stack is protected. A large frame may reach beyond it.
bool fiber::overflows_at(const void* address) const noexcept {
  constexpr std::size_t large_frame = 65536;
  const auto begin = reinterpret_cast<std::uintptr_t>(self().memory.sp) - self().memory.size;
  return reinterpret_cast<std::uintptr_t>(address) - (begin - large_frame) <
         large_frame + stack_page;
}

std::size_t fiber::stack_bytes() const noexcept { return self().memory.size - stack_page; }

void fiber::resume() {
  state& s = self();
  void* fake_stack = nullptr;
  s.exchange_exceptions();
  announce_switch(&fake_stack, s.stack);
  s.inside = std::move(s.inside).resume();
  confirm_switch(fake_stack, nullptr);
  s.exchange_exceptions();
}

void fiber::suspend() {
  state& s = self();
  announce_switch(&s.fake_stack, s.outside_stack);
  s.outside = std::move(s.outside).resume();
  confirm_switch(s.fake_stack, &s.outside_stack);
}

bool fiber::under_asan() noexcept {
#ifdef FAR_ADDRESS_SANITIZER
  return true;
#else
  return false;
#endif
}

bool fiber::ended() const noexcept { return static_cast<const state*>(this)->ended; }

void fiber::prefetch() const noexcept { sim::prefetch(this, sizeof(state)); }

}  // namespace far::fabric::sim
