#pragma once
// A context that forwards everything to the thread's own context: for tests that count or change
// what passes through it.

#include <cstdint>
#include <span>

#include "far/base/check.hpp"
#include "far/fabric/context.hpp"

namespace far::test {

class forwarding_context : public fabric::context {
 public:
  explicit forwarding_context(fabric::context& inner)
      : context(inner.owner(), inner.index()), inner_(&inner) {}

  void put(std::span<const fabric::put_part> parts, fabric::completion* done,
           fabric::completion* source, const fabric::signal* after) override {
    inner_->put(parts, done, source, after);
  }
  void get(std::span<const fabric::get_part> parts, fabric::completion* done) override {
    inner_->get(parts, done);
  }
  void amo(const fabric::amo_request& request, fabric::completion* done) override {
    inner_->amo(request, done);
  }
  void flush(int rank, fabric::completion* done) override { inner_->flush(rank, done); }
  bool try_send(const fabric::send_request& message) override { return inner_->try_send(message); }
  void reply(const fabric::reply_token& token, fabric::payload inline_bytes,
             std::span<const fabric::gather> data) override {
    inner_->reply(token, inline_bytes, data);
  }
  bool progress() override { return inner_->progress(); }
  bool wait(base::function_ref<bool()> ready, fabric::deadline_ns deadline,
            const fabric::wait_reason& reason) override {
    return inner_->wait(ready, deadline, reason);
  }
  void wait(fabric::completion& done, const fabric::wait_reason& reason) override {
    inner_->wait(done, reason);
  }
  void pause(fabric::backoff& state) override { inner_->pause(state); }
  void await_turn(fabric::turn& state) override { inner_->await_turn(state); }
  void compute(std::uint64_t duration_ns) override { inner_->compute(duration_ns); }
  [[nodiscard]] std::uint64_t peek(fabric::address word) const override {
    return inner_->peek(word);
  }

 private:
  void defer(int, fabric::task) override {
    FAR_CHECK(false, "handlers run on the lanes' contexts");
  }

  fabric::context* inner_;
};

}  // namespace far::test
