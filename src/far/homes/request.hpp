#pragma once
// Requests between the parts of a distributed object.

#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "far/fabric/message.hpp"
#include "far/homes/message.hpp"

namespace far::homes {

/// A request whose reply is a value. No reply at all, of an object that is gone, leaves it.
template <class Reply>
struct request : fabric::request {
  request() { on_reply = &keep; }
  /// Call when it is done. Errors: fabric_error if the reply has another length.
  [[nodiscard]] const Reply& value() const {
    if (is_malformed_) throw_malformed("a reply of another length");
    return value_;
  }

 private:
  static void keep(fabric::request& self, fabric::payload bytes) noexcept {
    auto& me = static_cast<request&>(self);
    if (bytes.size() == sizeof(Reply)) {
      std::memcpy(&me.value_, bytes.data(), sizeof(Reply));
    } else {
      me.is_malformed_ = !bytes.empty();
    }
  }

  Reply value_{};
  bool is_malformed_ = false;
};

/// A request that nobody waits for: take(outbox&), or take(outbox&, bytes of the reply), is a step
/// under the part's mutex when it has been answered. It deletes itself. `context`: the one that it
/// is sent on.
template <class Part, class Step>
[[nodiscard]] fabric::request* then_step(std::shared_ptr<Part> of, fabric::context& context,
                                         Step take) {
  using outbox = typename Part::outbox_type;
  using bytes = std::vector<std::byte>;
  constexpr bool keeps = std::invocable<Step&, outbox&, bytes>;
  struct sent : fabric::request {
    sent(std::shared_ptr<Part> part, fabric::context& sender, Step step)
        : of_(std::move(part)), context_(&sender), take_(std::move(step)) {
      on_done = &answered;
      if (keeps) on_reply = &keep;
    }

   private:
    static void keep(fabric::request& self, fabric::payload reply) noexcept {
      static_cast<sent&>(self).reply_.assign(reply.begin(), reply.end());
    }
    static void answered(fabric::completion& self) noexcept {
      const std::unique_ptr<sent> me(static_cast<sent*>(&self));
      outbox out;
      {
        const std::scoped_lock lock(me->of_->mutex);
        if constexpr (keeps) {
          me->take_(out, std::move(me->reply_));
        } else {
          me->take_(out);
        }
      }
      out.flush(*me->of_, *me->context_);
    }

    std::shared_ptr<Part> of_;
    fabric::context* context_;
    Step take_;
    bytes reply_;
  };
  return std::make_unique<sent>(std::move(of), context, std::move(take)).release();
}

}  // namespace far::homes
