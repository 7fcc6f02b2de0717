#pragma once
// A context that counts what a thread starts and waits for, as components of its cost: for tests of
// cost formulas. It forwards everything to the thread's own context. So it needs a fabric where all
// memory is accessed by verbs: the simulator.
//
//   far::test::counting_context counts(view.context());
//   far::world counted(view.state(), counts);
//   queue.concurrent(counted).push(1);
//   EXPECT_EQ(counts.counted(), A_fao + W + A_cas);
//
// Words are not distinguished, so A_hot counts as A_fao; a turn that comes at once counts as A_cas.
// Transfers that are in flight together count once. Operations that are not awaited do not count.

#include <cstdint>
#include <span>
#include <utility>

#include "far/base/check.hpp"
#include "far/fabric/context.hpp"
#include "far/model/formula.hpp"

namespace far::test {

class counting_context final : public fabric::context {
 public:
  explicit counting_context(fabric::context& inner)
      : context(inner.owner(), inner.index()), inner_(&inner) {}

  /// The operations counted since the last call.
  model::formula counted() { return std::exchange(sum_, {}); }

  void put(std::span<const fabric::put_part> parts, fabric::completion* done,
           fabric::completion* source, const fabric::signal* after) override {
    if (done != nullptr && !std::exchange(putting_, true)) sum_ += model::W;
    inner_->put(parts, done, source, after);
  }
  void get(std::span<const fabric::get_part> parts, fabric::completion* done) override {
    if (!std::exchange(getting_, true)) sum_ += model::R;
    inner_->get(parts, done);
  }
  void amo(const fabric::amo_request& request, fabric::completion* done) override {
    if (done != nullptr) sum_ += component_of(request.op);
    inner_->amo(request, done);
  }
  void flush(int rank, fabric::completion* done) override { inner_->flush(rank, done); }
  bool try_send(const fabric::send_request& message) override {
    const bool sent = inner_->try_send(message);
    if (sent && message.reply != nullptr) sum_ += model::M;
    return sent;
  }
  void reply(const fabric::reply_token& token, fabric::payload inline_bytes,
             std::span<const fabric::gather> data) override {
    inner_->reply(token, inline_bytes, data);
  }
  bool progress() override { return inner_->progress(); }
  bool wait(base::function_ref<bool()> ready, fabric::deadline_ns deadline,
            const fabric::wait_reason& reason) override {
    putting_ = getting_ = false;
    return inner_->wait(ready, deadline, reason);
  }
  void wait(fabric::completion& done, const fabric::wait_reason& reason) override {
    putting_ = getting_ = false;
    inner_->wait(done, reason);
  }
  void pause(fabric::backoff& state) override { inner_->pause(state); }
  void await_turn(fabric::turn& state) override { inner_->await_turn(state); }
  void compute(std::uint64_t duration_ns) override { inner_->compute(duration_ns); }
  [[nodiscard]] std::uint64_t peek(fabric::address word) const override {
    return inner_->peek(word);
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
  void defer(int, fabric::task) override {
    FAR_CHECK(false, "handlers run on the lanes' contexts");
  }

  fabric::context* inner_;
  model::formula sum_;
  bool putting_ = false;
  bool getting_ = false;
};

}  // namespace far::test
