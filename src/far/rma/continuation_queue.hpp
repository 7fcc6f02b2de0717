#pragma once
// What futures keep in a context: how deep continuations nest, which of them are queued, the
// operations in flight, and the transfers that a flush must complete (composite.hpp). The context
// owns it.
//
// Threads: the context's thread only, as future_state.hpp says.

#include <cstdint>

#include "far/fabric/context.hpp"

namespace far::detail {

class composite;
class composite_flush;
class future_state_base;

class continuation_queue final : public fabric::context_attachment {
 public:
  /// The queue of `context`, made at the first call.
  [[nodiscard]] static continuation_queue& of(fabric::context& context) {
    fabric::context_attachment* const attached = context.attached();
    return attached == nullptr ? attach_to(context) : static_cast<continuation_queue&>(*attached);
  }
  /// How deep continuations nest in the context at present.
  [[nodiscard]] static std::uint32_t depth_in(fabric::context& context) noexcept {
    const fabric::context_attachment* const attached = context.attached();
    return attached == nullptr ? 0 : static_cast<const continuation_queue&>(*attached).depth;
  }

  explicit continuation_queue(fabric::context& context) noexcept : owner(&context) {}
  /// Frees the operations in flight: in a job that failed they never complete.
  ~continuation_queue() override;

  fabric::context* owner;
  std::uint32_t depth = 0;             ///< how deep continuations nest at present
  future_state_base* first = nullptr;  ///< queue of those that run when the outermost returns
  future_state_base* last = nullptr;
  future_state_base* in_flight = nullptr;  ///< list of operations that hold themselves
  composite* oldest = nullptr;             ///< list of composite transfers in flight
  composite* newest = nullptr;
  std::uint64_t composites = 0;        ///< how many have been started
  composite_flush* flushes = nullptr;  ///< list of those that wait for some
  /// Counts operations that only a flush waits for (nbi.hpp). It is here because it must exist for
  /// as long as the context's operations.
  fabric::completion until_flush;

 private:
  void forget_composites() noexcept;
  static continuation_queue& attach_to(fabric::context& context);
};

}  // namespace far::detail
