#pragma once
// Explains why a history is not linearizable: how far one gets, and why no call can go next there.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "test/linearizability/specification.hpp"

namespace far::linearizability {

template <specification S>
class explainer {
 public:
  using call_type = call_of<S>;

  /// `shown`: max lines of each kind.
  explainer(const S& spec, std::span<const call_type> calls, std::size_t shown)
      : spec_(spec), calls_(calls), shown_(shown) {}

  /// Two calls that exclude each other, or the same call twice if no order explains it.
  [[nodiscard]] std::string contradiction(std::size_t first, std::size_t second) {
    if (first == second) {
      say("no order of the calls explains that {}\nwhich nothing before allows\n", line(first));
    } else {
      say("no order of the calls explains both\n  {}\n  {}\n", line(first), line(second));
      say("the first ended before the second began, but others saw the second's effect first\n");
    }
    return std::move(text_);
  }

  /// `order`: calls that can be explained one after the other; `stopped_by`: the call that has been
  /// answered when no order is left.
  [[nodiscard]] std::string failure(const std::vector<std::size_t>& order, std::size_t stopped_by) {
    typename S::state state = spec_.initial();
    const std::size_t hidden = order.size() - std::min(order.size(), shown_);
    say("no order of the calls explains that {}\n", line(stopped_by));
    say("closest is, of {} calls that take place before{}:\n", order.size(),
        hidden > 0 ? fmt::format(", the last {}", shown_) : "");
    for (std::size_t i = 0; i < order.size(); ++i) {
      const call_type& call = calls_[order[i]];
      (void)takes_place(spec_, state, call.operation, call.result);
      if (i + 1 == hidden) say("  (state by then: {})\n", spec_.text(state));
      if (i >= hidden) say("  {}\n", line(order[i]));
    }
    say("which leaves: {}\nbut then none of these can be next:\n", spec_.text(state));
    say_candidates(order, stopped_by, state);
    return std::move(text_);
  }

 private:
  template <class... Parts>
  void say(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }

  [[nodiscard]] std::string line(std::size_t index) const {
    const call_type& call = calls_[index];
    const std::string when = call.result ? fmt::format("{} to {}", call.invoked, call.responded)
                                         : fmt::format("{} on, pending", call.invoked);
    const std::string what =
        fmt::format("{}: {}", call.process, spec_.text(call.operation, call.result));
    return fmt::format("process {:36} (events {})", what, when);
  }

  void say_candidates(const std::vector<std::size_t>& order, std::size_t stopped_by,
                      const typename S::state& state) {
    std::vector<bool> used(calls_.size(), false);
    for (const std::size_t index : order) used[index] = true;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (used[i] || calls_[i].invoked > calls_[stopped_by].responded) continue;
      if (++lines <= shown_) say("  {} {}\n", line(i), objection(calls_[i], state));
    }
    if (lines > shown_) say("  and {} more\n", lines - shown_);
  }

  [[nodiscard]] std::string objection(const call_type& call, const typename S::state& state) const {
    typename S::state there = state;
    if (takes_place(spec_, there, call.operation, call.result)) {
      return "fits, but leads nowhere";
    }
    there = state;
    const std::optional<typename S::result> right = spec_.apply(there, call.operation);
    if (!right) return "cannot take place here";
    return fmt::format("here it is {}", spec_.text(call.operation, right));
  }

  const S& spec_;
  std::span<const call_type> calls_;
  std::size_t shown_;
  std::string text_;
};

}  // namespace far::linearizability
