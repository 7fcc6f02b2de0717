#pragma once
// The generated programs, the outcomes that the axioms allow for them, and which of these were
// seen.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "test/litmus/axioms.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// A program and all its allowed outcomes.
struct judged {
  program text;
  std::vector<outcome> allowed;  // sorted

  /// Index into `allowed`, or its size if not allowed.
  [[nodiscard]] std::size_t find(const outcome& o) const;
};

/// All generated programs. Made on the first call.
[[nodiscard]] const std::vector<judged>& corpus();
/// The same for the programs of cached arrays.
[[nodiscard]] const std::vector<judged>& cached_corpus();

/// How often each allowed outcome of each program was seen. Its memory is shared with processes
/// that are forked later. Only one rank at a time may record.
class tally {
 public:
  explicit tally(const std::vector<judged>& of = corpus());
  ~tally();
  tally(const tally&) = delete;
  tally& operator=(const tally&) = delete;

  /// Returns false for an outcome that is not allowed.
  bool record(std::size_t program, const outcome& o) noexcept;
  [[nodiscard]] std::uint32_t count(std::size_t program, std::size_t outcome) const noexcept {
    return counts_[first_[program] + outcome];
  }
  /// The number of different outcomes seen, over all programs.
  [[nodiscard]] std::size_t outcomes() const noexcept;
  /// The number of runs, over all programs.
  [[nodiscard]] std::uint64_t runs() const noexcept;

 private:
  const std::vector<judged>* programs_;
  std::vector<std::size_t> first_;  // of each program, and one past the last
  std::uint32_t* counts_;
};

}  // namespace far::litmus
