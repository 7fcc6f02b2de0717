#pragma once
// Runs another program from a test, and observes it while it runs and when it ends. No wait is
// unlimited: anything that takes longer than five minutes fails the test.

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace far::test {

/// How a program ended: its exit status, or 128 + the signal, and its output.
struct outcome {
  int status = -1;
  std::string output;
  std::string errors;
};

/// What a program starts with, besides its arguments.
struct surroundings {
  std::vector<std::pair<std::string, std::string>> variables;  ///< set in its environment
  std::string input;                                           ///< followed by the end of the file
  bool own_group = false;  ///< a process group of its own, as a shell makes for a job
};

/// A running program. The destructor kills it if it still runs.
class command {
 public:
  explicit command(const std::vector<std::string>& arguments, const surroundings& around = {});
  ~command();
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  /// Reads until `text` has appeared on standard output (or error). False: the program ended first.
  bool wait_for_output(const std::string& text) { return wait_for(text, output_, 0); }
  bool wait_for_error(const std::string& text) { return wait_for(text, errors_, 0); }
  /// The same behind what has been read so far, wherever that was cut off.
  bool wait_for_more_errors(const std::string& text) {
    return wait_for(text, errors_,
                    errors_.text.size() - std::min(errors_.text.size(), text.size() - 1));
  }
  /// Everything read so far.
  [[nodiscard]] const std::string& output() const noexcept { return output_.text; }
  [[nodiscard]] const std::string& errors() const noexcept { return errors_.text; }
  void send(int signal) const;
  /// Stops reading the program's standard output.
  void close_output();
  /// Reads the rest, and waits until the program has ended.
  outcome finish();

 private:
  struct stream {
    int pipe = -1;
    std::string text;
  };

  bool wait_for(const std::string& text, const stream& where, std::size_t from);
  bool read_some();

  pid_t pid_ = -1;
  bool running_ = false;
  stream output_;
  stream errors_;
};

/// Runs a program from start to end.
outcome run_command(const std::vector<std::string>& arguments, const surroundings& around = {});

/// The path of a program of this build: "far", "test-act".
std::string built(const std::string& name);
/// far run ARGUMENTS...
std::vector<std::string> far_run(const std::vector<std::string>& arguments);

/// Whether the process exists and is not a zombie.
bool process_exists(pid_t pid);
/// Whether the process is stopped.
bool process_stopped(pid_t pid);
/// The live child processes of a process.
std::vector<pid_t> children_of(pid_t pid);
/// Continues a process that stops itself, until it has ended. False: it never ends.
bool resume_until_end(pid_t pid);
/// Polls until the condition holds; false if it never does.
bool eventually(const std::function<bool()>& condition);

/// The number after each occurrence of `before` in the text.
std::vector<int> numbers_after(const std::string& text, const std::string& before);
/// The lines of the text, without line ends.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace far::test
