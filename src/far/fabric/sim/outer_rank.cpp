// The caller of join_job as the only rank of a simulated job.
//
// The simulation runs inside a fiber, `machine_`, and spawns the rank's fiber, as for any job. The
// rank's fiber suspends the machine at once, so that the caller continues in place of the rank.
// From then on, the scheduler suspends and resumes the caller's stack as the rank's fiber, because
// suspend() leaves whatever stack it is called on. When the caller leaves, it resumes the machine
// in the rank's fiber, where it was suspended. That fiber ends, and with it the simulation.

#include "far/fabric/sim/outer_rank.hpp"

#include <exception>
#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/sim/exit_watch.hpp"
#include "far/fabric/sim/fiber.hpp"
#include "far/fabric/sim/rank_fabric.hpp"

namespace far::fabric::sim {
namespace {

class outer_rank final : public membership {
 public:
  outer_rank(const job_options& options, void (*at_end)(simulation&))
      : job_(options), at_end_(at_end), machine_(fiber::make([this] { simulate(); }, 0)) {
    machine_->resume();
    if (own_ == nullptr) std::rethrow_exception(outcome_);
  }

  ~outer_rank() override {
    if (!machine_->ended()) machine_->resume();
  }

  [[nodiscard]] fabric& own() noexcept override { return *own_; }

  void leave() override {
    left_ = true;
    machine_->resume();
    if (outcome_) std::rethrow_exception(outcome_);
    at_end_(job_);
  }

  void fail(const std::exception_ptr& why) noexcept override {
    if (!machine_->ended()) job_.fail(own_->rank(), why);
  }

 private:
  void simulate() {
    try {
      job_.run([this](fabric& own) {
        own_ = &own;
        machine_->suspend();
        if (!left_) throw error("the rank left the job before its end");
      });
    } catch (...) {
      outcome_ = std::current_exception();
    }
  }

  simulation job_;
  void (*at_end_)(simulation&);
  fabric* own_ = nullptr;
  bool left_ = false;
  std::exception_ptr outcome_;  // of the job
  exit_watch watch_;
  fiber::handle machine_;
};

}  // namespace

std::unique_ptr<membership> join_as_fiber(const job_options& options, void (*at_end)(simulation&)) {
  if (under_thread_sanitizer || fiber::under_asan()) {
    throw bad_argument(
        "sanitizers cannot follow a far::job that is simulated: write the program as a function "
        "for far::run(program)");
  }
  return std::make_unique<outer_rank>(options, at_end);
}

}  // namespace far::fabric::sim
