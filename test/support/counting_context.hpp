#pragma once
// A context that counts what a thread starts and waits for, as components of its cost: for tests of
// cost formulas. It needs a fabric where all memory is accessed by verbs: the simulator.
//
//   far::test::counting_context counts(view.context());
//   far::world counted(view.state(), counts);
//   queue.on(counted).push(1);
//   EXPECT_EQ(counts.counted(), A_fao + W + A_cas);
//
// Words are not distinguished, so A_hot counts as A_fao; a turn that comes at once counts as A_cas.
// Transfers that are in flight together count once. Operations that are not awaited do not count.

#include <span>
#include <utility>

#include "far/model/formula.hpp"
#include "test/support/forwarding_context.hpp"

namespace far::test {

class counting_context final : public forwarding_context {
 public:
  using forwarding_context::forwarding_context;

  /// The operations counted since the last call.
  model::formula counted() { return std::exchange(sum_, {}); }

  void put(std::span<const fabric::put_part> parts, fabric::completion* done,
           fabric::completion* source, const fabric::signal* after) override {
    if (done != nullptr && !std::exchange(putting_, true)) sum_ += model::W;
    forwarding_context::put(parts, done, source, after);
  }
  void get(std::span<const fabric::get_part> parts, fabric::completion* done) override {
    if (!std::exchange(getting_, true)) sum_ += model::R;
    forwarding_context::get(parts, done);
  }
  void amo(const fabric::amo_request& request, fabric::completion* done) override {
    if (done != nullptr) sum_ += component_of(request.op);
    forwarding_context::amo(request, done);
  }
  bool try_send(const fabric::send_request& message) override {
    const bool sent = forwarding_context::try_send(message);
    if (sent && message.reply != nullptr) sum_ += model::M;
    return sent;
  }
  bool wait(base::function_ref<bool()> ready, fabric::deadline_ns deadline,
            const fabric::wait_reason& reason) override {
    putting_ = getting_ = false;
    return forwarding_context::wait(ready, deadline, reason);
  }
  void wait(fabric::completion& done, const fabric::wait_reason& reason) override {
    putting_ = getting_ = false;
    forwarding_context::wait(done, reason);
  }

 private:
  static model::formula component_of(fabric::amo_op op) {
    switch (op) {
      case fabric::amo_op::load:
        return model::R;
      case fabric::amo_op::store:
        return model::W;
      case fabric::amo_op::compare_swap:
        return model::A_cas;
      default:
        return model::A_fao;
    }
  }

  model::formula sum_;
  bool putting_ = false;
  bool getting_ = false;
};

}  // namespace far::test
