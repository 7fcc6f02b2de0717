#pragma once
// The record of an explorer's run: its decisions, and a story of those that were not calm. Each is
// written at once, so that it survives the death of the process.

#include <cstdint>
#include <string>
#include <string_view>

#include "far/fabric/sim/explore/trace.hpp"

namespace far::fabric::sim {

class explorer_log {
 public:
  /// Replaces the files; an empty path: no file. Errors: bad_argument.
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
  std::string lost;  ///< why a file could not be written any more; empty: they are complete

 private:
  void write_all(int& file, std::string_view text);

  int decisions_file_ = -1;
  int story_file_ = -1;
};

}  // namespace far::fabric::sim
