#pragma once
// A trace: the answers to all the explorer's choices, in order. It reproduces its run of the same
// program, whichever driver made it.
//
// As text: decimal answers separated by full stops, and "+N" for N answers of 0, the calm ones:
// "+17.1.+4.3". Calm answers at the end are left out.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "far/fabric/sim/explore/driver.hpp"

namespace far::fabric::sim {

using trace = std::vector<std::uint64_t>;

[[nodiscard]] std::string text_of(const trace& decisions);

/// Parses a text as above, or the contents of a file: "@FILE". Errors: bad_argument.
[[nodiscard]] trace parse_trace(std::string_view text);

/// FNV-1a over the decisions: the same with every compiler.
[[nodiscard]] std::uint64_t hash_of(const trace& decisions) noexcept;

/// The number of answers that are not calm.
[[nodiscard]] std::size_t deviations_of(const trace& decisions) noexcept;

/// Without calm answers at the end.
[[nodiscard]] trace trimmed(trace decisions);

/// If a run has rules, they come before its answers, as a number from here on.
inline constexpr std::uint64_t first_rules = std::uint64_t{1} << 32;

/// Answers what the trace says; 0 after its end, or if the recorded answer is not possible.
class replay_driver final : public driver {
 public:
  explicit replay_driver(trace decisions) : decisions_(std::move(decisions)) {
    if (decisions_.empty() || decisions_.front() < first_rules) return;
    rules_ = decisions_.front() - first_rules;
    used_ = 1;
  }

  [[nodiscard]] std::uint64_t rules() const noexcept override { return rules_; }
  std::size_t next(std::span<const std::uint64_t> events,
                   std::span<const std::uint32_t> fibers) override {
    return take(events.size() + fibers.size());
  }
  std::uint64_t choose(std::uint64_t n, question) override { return take(n); }
  bool chance(std::uint64_t, question) override { return take(2) != 0; }

 private:
  std::uint64_t take(std::uint64_t bound) noexcept;

  trace decisions_;
  std::size_t used_ = 0;
  std::uint64_t rules_ = 0;
};

}  // namespace far::fabric::sim
