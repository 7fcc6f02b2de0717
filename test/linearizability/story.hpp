#pragma once
// For tests: histories written call by call.

#include <string>
#include <utility>

#include "test/linearizability/checker.hpp"

namespace far::linearizability {

template <class S>
struct story {
  using operation = typename S::operation;
  using result = typename S::result;

  S spec{};
  history_of<S> log{4};

  auto begin(int process, operation what) { return log.invoke(process, std::move(what)); }
  void end(typename history_of<S>::token which, result answer) {
    log.respond(which, std::move(answer));
  }
  void call(int process, operation what, result answer) {
    end(begin(process, std::move(what)), std::move(answer));
  }

  [[nodiscard]] verdict outcome() const { return check(spec, log.calls()).outcome; }
  [[nodiscard]] std::string explanation() const { return check(spec, log.calls()).explanation; }
};

inline constexpr auto good = verdict::linearizable;
inline constexpr auto bad = verdict::not_linearizable;

}  // namespace far::linearizability
