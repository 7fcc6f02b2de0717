#pragma once
// What futures keep in a context: how deep continuations nest, which of them wait, and the
// operations under way. It goes with the context.
//
// Threads: the context's, as future_state.hpp says.

#include <cstdint>

#include "far/fabric/context.hpp"

namespace far::detail {

class future_state_base;

class continuation_queue final : public fabric::context_attachment {
 public:
  /// The context's own, made at the first call.
  [[nodiscard]] static continuation_queue& of(fabric::context& context) {
    fabric::context_attachment* const attached = context.attached();
    return attached == nullptr ? attach_to(context) : static_cast<continuation_queue&>(*attached);
  }
  /// How deep continuations nest in the context just now.
  [[nodiscard]] static std::uint32_t depth_in(fabric::context& context) noexcept {
    const fabric::context_attachment* const attached = context.attached();
    return attached == nullptr ? 0 : static_cast<const continuation_queue&>(*attached).depth;
  }

  explicit continuation_queue(fabric::context& context) noexcept : owner(&context) {}
  /// Frees the operations under way: in a job that failed they are never done.
  ~continuation_queue() override;

  fabric::context* owner;
  std::uint32_t depth = 0;             ///< how deep continuations nest just now
  future_state_base* first = nullptr;  ///< those that wait for the outermost to return
  future_state_base* last = nullptr;
  future_state_base* under_way = nullptr;  ///< operations that hold themselves until they are done

 private:
  static continuation_queue& attach_to(fabric::context& context);
};

}  // namespace far::detail
