#pragma once
// What a run of the explorer leaves behind: its decisions, and a story of those that were not
// calm. Written out one by one, so that they are there when the process dies.

#include <cstdint>
#include <string>
#include <string_view>

#include "far/fabric/sim/explore/trace.hpp"

namespace far::fabric::sim {

class explorer_log {
 public:
  /// Files, replaced at once; an empty path: none. Errors: bad_argument.
  explorer_log(const std::string& decisions_path, const std::string& story_path);
  ~explorer_log();
  explorer_log(const explorer_log&) = delete;
  explorer_log& operator=(const explorer_log&) = delete;

  void decided(std::uint64_t answer);
  void tell(std::string_view line);
  [[nodiscard]] bool wants_story() const noexcept { return keeps_story || story_file_ >= 0; }

  trace decisions;
  std::string story;
  bool keeps_story = false;
  std::string lost;  ///< why a file takes no more; empty: they hold everything

 private:
  void write_all(int& file, std::string_view text);

  int decisions_file_ = -1;
  int story_file_ = -1;
};

}  // namespace far::fabric::sim
