#include "far/world/job.hpp"

#include <cstdio>
#include <optional>

#include "far/base/error.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/job.hpp"
#include "far/world/only_job.hpp"
#include "far/world/rank_scope.hpp"

namespace far {

struct job::parts {
  std::optional<only_job> only{std::in_place};
  std::unique_ptr<fabric::membership> member;
  std::optional<rank_scope> scope;  // its view outlives the membership

  explicit parts(const fabric::join_options& options) : member(fabric::join_job(options)) {
    try {
      scope.emplace(member->own());
    } catch (...) {
      member->fail(std::current_exception());  // the job has been joined already
      throw;
    }
  }

  /// Ends this process's part in the job.
  void end() noexcept {
    scope->end();
    member.reset();
    only.reset();
  }
};

job::job(const fabric::join_options& options)
    : in_(std::make_unique<parts>(options)), exceptions_(std::uncaught_exceptions()) {}

bool job::has_ended() const noexcept { return in_ == nullptr || in_->member == nullptr; }

job::~job() {
  if (has_ended()) return;
  if (fabric::is_fork()) {
    abandon();
    std::fprintf(stderr, "far: %s\n", fabric::fork_is_no_rank);
    return;
  }
  if (std::uncaught_exceptions() > exceptions_) {
    constexpr const char* what =
        "an exception has ended the scope of its far::job (job.fail reports which)";
    fail(std::make_exception_ptr(error(what)));
    return;
  }
  try {
    leave();
  } catch (const std::exception& failure) {
    if (!fabric::launcher_reports()) std::fprintf(stderr, "far: %s\n", failure.what());
  }
}

far::world& job::world() noexcept { return in_->scope->world(); }

void job::leave() {
  if (has_ended()) throw bad_argument("job.leave(): this job has been left already");
  if (fabric::is_fork()) {
    abandon();
    fabric::refuse_fork();
  }
  try {
    in_->scope->quiesce();
    in_->scope->end();
    in_->member->leave();
  } catch (...) {
    fail(std::current_exception());
    throw;
  }
  in_->end();
}

void job::fail(const std::exception_ptr& why) noexcept {
  if (has_ended()) return;
  if (fabric::is_fork()) return abandon();
  in_->member->fail(why);
  in_->end();
}

/// In a fork: the rank's threads, which the parts would join, do not exist there.
void job::abandon() noexcept { static_cast<void>(in_.release()); }

void exit_job(int status) noexcept { fabric::exit_job(status); }

}  // namespace far
