#include "bench/harness/program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "far/base/child_signal.hpp"

namespace far::bench {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// Captures a program's output in an unnamed file, so that no pipe can fill up.
class capture {
 public:
  capture() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) fail(errno, "cannot make a temporary file");
  }
  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }

  [[nodiscard]] std::string text() const {
    std::string result;
    std::array<char, 4096> part;
    std::rewind(file_.get());
    while (const auto n = std::fread(part.data(), 1, part.size(), file_.get())) {
      result.append(part.data(), n);
    }
    return result;
  }

 private:
  std::unique_ptr<FILE, int (*)(FILE*)> file_;
};

}  // namespace

std::string outcome::complaint() const {
  if (status == 124) return "did not end in time";
  const auto end = errors.find_last_not_of(" -\n");  // launchers end with a rule
  if (end == std::string::npos) return fmt::format("ended with status {}", status);
  const auto line = errors.find_last_of('\n', end);
  const auto begin = line == std::string::npos ? 0 : line + 1;
  return errors.substr(begin, end + 1 - begin);
}

outcome run_program(const std::vector<std::string>& arguments, int limit_s) {
  // In the foreground, so that Ctrl-C reaches all processes; launchers end those that they started.
  std::vector<std::string> words = {"timeout", "--foreground", "--kill-after=5",
                                    fmt::format("{}", limit_s)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const base::child_signal child_reports;
  const capture output;
  const capture errors;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors.descriptor(), STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawnp(&process, pointers[0], &files, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) fail(error, "cannot run " + arguments.front());

  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) fail(errno, "cannot wait for " + arguments.front());
  }
  outcome result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = output.text();
  result.errors = errors.text();
  return result;
}

bool in_path(std::string_view name) {
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "";
  while (!folders.empty()) {
    const auto colon = folders.find(':');
    const std::string file = fmt::format("{}/{}", folders.substr(0, colon), name);
    if (access(file.c_str(), X_OK) == 0) return true;
    if (colon == std::string_view::npos) break;
    folders.remove_prefix(colon + 1);
  }
  return false;
}

std::filesystem::path own_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

temporary_file::temporary_file()
    : path_((std::filesystem::temp_directory_path() / "far-bench-XXXXXX").string()),
      file_(mkostemp(path_.data(), O_CLOEXEC)) {
  if (file_ < 0) fail(errno, "cannot make " + path_);
}

temporary_file::~temporary_file() {
  close(file_);
  unlink(path_.c_str());
}

void temporary_file::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno, "cannot write " + path_);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

temporary_folder::temporary_folder() {
  std::string path = (std::filesystem::temp_directory_path() / "far-bench-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) fail(errno, "cannot make " + path);
  path_ = path;
}

temporary_folder::~temporary_folder() {
  std::error_code none;
  std::filesystem::remove_all(path_, none);
}

std::string temporary_folder::file(std::string_view name) const { return path_ / name; }

}  // namespace far::bench
