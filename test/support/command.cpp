#include "test/support/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <gtest/gtest.h>

namespace far::test {
namespace {

constexpr std::chrono::seconds limit{300};

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// An unnamed file that holds `text`, open at its beginning.
int file_of(const std::string& text) {
  std::string name = ::testing::TempDir() + "far-input-XXXXXX";
  const int descriptor = checked(mkostemp(name.data(), O_CLOEXEC), "mkostemp");
  unlink(name.c_str());
  checked(static_cast<int>(write(descriptor, text.data(), text.size())), "write");
  lseek(descriptor, 0, SEEK_SET);
  return descriptor;
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const surroundings& around,
                         int input, int output, int errors) {
  if (around.own_group) setpgid(0, 0);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  for (const auto& [name, value] : around.variables) setenv(name.c_str(), value.c_str(), 1);
  const rlimit no_core{0, 0};  // programs that crash on purpose leave no core in the build folder
  setrlimit(RLIMIT_CORE, &no_core);
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  _exit(127);
}

/// The state in /proc: 'T' is stopped, 'Z' a zombie. 'X': the process does not exist.
char state_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(") ");
  return name_end == std::string::npos ? 'X' : line[name_end + 2];
}

}  // namespace

command::command(const std::vector<std::string>& arguments, const surroundings& around) {
  std::array<int, 2> output{};
  std::array<int, 2> errors{};
  checked(pipe2(output.data(), O_CLOEXEC), "pipe2");
  checked(pipe2(errors.data(), O_CLOEXEC), "pipe2");
  const int input = file_of(around.input);
  pid_ = checked(fork(), "fork");
  if (pid_ == 0) become(arguments, around, input, output[1], errors[1]);
  if (around.own_group) setpgid(pid_, pid_);
  running_ = true;
  close(input);
  close(output[1]);
  close(errors[1]);
  output_.pipe = output[0];
  errors_.pipe = errors[0];
}

command::~command() {
  if (running_) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close_output();
  if (errors_.pipe >= 0) close(errors_.pipe);
}

void command::send(int signal) const { kill(pid_, signal); }

void command::close_output() {
  if (output_.pipe >= 0) close(output_.pipe);
  output_.pipe = -1;
}

/// Reads the next output; false when both streams have ended.
bool command::read_some() {
  std::array<pollfd, 2> ready{pollfd{output_.pipe, POLLIN, 0}, pollfd{errors_.pipe, POLLIN, 0}};
  if (output_.pipe < 0 && errors_.pipe < 0) return false;
  const int count = poll(ready.data(), ready.size(), static_cast<int>(limit.count()) * 1000);
  if (count == 0) {
    throw std::runtime_error("the program writes no more; until now: " + output_.text +
                             errors_.text);
  }
  const auto take = [](stream& from, const pollfd& state) {
    if (state.revents == 0) return;
    std::array<char, 65536> buffer{};
    const ssize_t got = read(from.pipe, buffer.data(), buffer.size());
    if (got > 0) {
      from.text.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      close(from.pipe);
      from.pipe = -1;
    }
  };
  take(output_, ready[0]);
  take(errors_, ready[1]);
  return true;
}

bool command::wait_for(const std::string& text, const stream& where, std::size_t from) {
  while (where.text.find(text, from) == std::string::npos) {
    if (where.pipe < 0 || !read_some()) return false;
  }
  return true;
}

outcome command::finish() {
  while (read_some()) {
  }
  int status = 0;
  const bool ended = eventually([&] { return waitpid(pid_, &status, WNOHANG) == pid_; });
  if (!ended) throw std::runtime_error("the program closed its output, but does not end");
  running_ = false;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output_.text,
          errors_.text};
}

outcome run_command(const std::vector<std::string>& arguments, const surroundings& around) {
  return command(arguments, around).finish();
}

std::string built(const std::string& name) { return std::string(FAR_BINARY_DIR) + '/' + name; }

std::vector<std::string> far_run(const std::vector<std::string>& arguments) {
  std::vector<std::string> result{built("far"), "run"};
  result.insert(result.end(), arguments.begin(), arguments.end());
  return result;
}

bool process_exists(pid_t pid) {
  const char state = state_of(pid);
  return state != 'Z' && state != 'X';
}

bool process_stopped(pid_t pid) { return state_of(pid) == 'T'; }

std::vector<pid_t> children_of(pid_t pid) {
  const std::string self = std::to_string(pid);
  std::ifstream file("/proc/" + self + "/task/" + self + "/children");
  std::vector<pid_t> result;
  for (pid_t child = 0; file >> child;) {
    if (process_exists(child)) result.push_back(child);
  }
  return result;
}

bool resume_until_end(pid_t pid) {
  return eventually([pid] {
    // Only if it is stopped: SIGCONT would disturb the leak check of AddressSanitizer, which stops
    // threads, too.
    if (process_stopped(pid)) kill(pid, SIGCONT);
    return !process_exists(pid);
  });
}

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::vector<int> numbers_after(const std::string& text, const std::string& before) {
  std::vector<int> result;
  for (auto at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
    result.push_back(std::atoi(text.c_str() + at + before.size()));
  }
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

}  // namespace far::test
