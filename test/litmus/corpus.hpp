#pragma once
// The generated programs, the outcomes that the axioms allow them, and which of these were seen.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "test/litmus/axioms.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// A program and every outcome it may have.
struct judged {
  program text;
  std::vector<outcome> allowed;  // sorted

  /// Index into `allowed`, or its size.
  [[nodiscard]] std::size_t find(const outcome& o) const;
};

/// All generated programs; made once.
[[nodiscard]] const std::vector<judged>& corpus();

/// How often each allowed outcome of each program of the corpus was seen. Its memory is shared with
/// processes that are forked after it was made. Recording is for one rank at a time.
class tally {
 public:
  tally();
  ~tally();
  tally(const tally&) = delete;
  tally& operator=(const tally&) = delete;

  /// False for an outcome that is not allowed.
  bool record(std::size_t program, const outcome& o) noexcept;
  [[nodiscard]] std::uint32_t count(std::size_t program, std::size_t outcome) const noexcept {
    return counts_[first_[program] + outcome];
  }
  /// How many different outcomes were seen, of all programs.
  [[nodiscard]] std::size_t outcomes() const noexcept;
  /// How many times a program ran.
  [[nodiscard]] std::uint64_t runs() const noexcept;

 private:
  std::vector<std::size_t> first_;  // of each program, and the end
  std::uint32_t* counts_;
};

}  // namespace far::litmus
