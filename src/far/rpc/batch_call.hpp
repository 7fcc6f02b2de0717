#pragma once
// One batch in flight, from its origin's side.

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

#include "far/rma/future_state.hpp"
#include "far/rpc/batch_sender.hpp"
#include "far/rpc/pending_call.hpp"

namespace far::detail {

/// Counts in the ledger from its construction until the batch has been acknowledged.
class batch_call final : public future_state_base, public pending_call {
 public:
  batch_call(fabric::context& context, rank_state& state, std::shared_ptr<batch_ledger> ledger,
             std::size_t bytes)
      : future_state_base(context),
        pending_call(context, state),
        ledger_(std::move(ledger)),
        bytes_(bytes) {
    ledger_->bytes += bytes_;
  }
  ~batch_call() override { ledger_->bytes -= bytes_; }

 private:
  void accept(wire::reader& from) override {
    const batch_answers& answers = ledger_->answers;
    if (answers.deliver != nullptr) {
      answers.deliver(answers.to, from);
    } else if (answers.answer_bytes == 0) {
      from.finish();
    }
  }
  void refuse(std::exception_ptr failure) noexcept override {
    if (ledger_->failure == nullptr) ledger_->failure = std::move(failure);
  }
  void finish_call() noexcept override { end_operation(); }

  std::shared_ptr<batch_ledger> ledger_;
  std::size_t bytes_;
};

}  // namespace far::detail
