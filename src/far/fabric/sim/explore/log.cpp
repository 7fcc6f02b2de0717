#include "far/fabric/sim/explore/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::fabric::sim {
namespace {

int open_file(const char* variable, const std::string& path) {
  if (path.empty()) return -1;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file >= 0) return file;
  throw bad_argument(fmt::format("{}={}: {}", variable, path, std::strerror(errno)));
}

}  // namespace

/// Closes a file that cannot be written any more: the run matters more than its log. The run fails
/// at its end.
void explorer_log::write_all(int& file, std::string_view text) {
  errno = ENOSPC;  // a short write does not set errno
  if (file < 0 || write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size())) {
    return;
  }
  lost = fmt::format("cannot write the log of the run: {}", std::strerror(errno));
  close(file);
  file = -1;
}

explorer_log::explorer_log(const std::string& decisions_path, const std::string& story_path)
    : decisions_file_(open_file("FAR_SIM_RECORD", decisions_path)),
      story_file_(open_file("FAR_SIM_STORY", story_path)) {}

explorer_log::~explorer_log() {
  if (decisions_file_ >= 0) close(decisions_file_);
  if (story_file_ >= 0) close(story_file_);
}

void explorer_log::decided(std::uint64_t answer) {
  decisions.push_back(answer);
  if (decisions_file_ >= 0) write_all(decisions_file_, fmt::format("{}.", answer));
}

void explorer_log::tell(std::string_view line) {
  if (keeps_story) story += line;
  write_all(story_file_, line);
}

}  // namespace far::fabric::sim
