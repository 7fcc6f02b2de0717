#include "bench/kv/server_process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "bench/harness/program.hpp"
#include "far/base/environment.hpp"
#include "far/base/error.hpp"

namespace far::bench {
namespace {

[[noreturn]] void fail_server(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// A port that was free just now.
std::uint16_t free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof(address);
  const bool found =
      bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  const int error = errno;
  close(probe);
  if (!found) fail_server(error, "no port of 127.0.0.1 is free");
  return ntohs(address.sin_port);
}

pid_t start(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int error = posix_spawn(&process, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) fail_server(error, "cannot run " + words[0]);
  return process;
}

std::optional<std::string> named_by(const char* variable) {
  const std::string_view named = base::environment_text(variable);
  return named.empty() ? std::nullopt : std::optional<std::string>(named);
}

}  // namespace

std::optional<std::string> find_memcached() {
  if (auto named = named_by("FAR_BENCH_MEMCACHED")) return named;
  for (const char* const usual : {"/usr/bin/memcached", "/usr/local/bin/memcached"}) {
    if (std::filesystem::exists(usual)) return usual;
  }
  return std::nullopt;
}

std::optional<std::string> find_far_kv() {
  if (auto named = named_by("FAR_BENCH_FAR_KV")) return named;
  const std::filesystem::path ours = own_folder() / "far-kv";
  return std::filesystem::exists(ours) ? std::optional<std::string>(ours) : std::nullopt;
}

server_process::server_process(std::string path, const std::vector<std::string>& options)
    : port_(free_port()) {
  std::vector<std::string> words{std::move(path), "-l", "127.0.0.1", "-p", std::to_string(port_)};
  words.insert(words.end(), options.begin(), options.end());
  if (std::filesystem::path(words[0]).filename() == "memcached" && geteuid() == 0) {
    words.insert(words.end(), {"-u", "root"});  // it asks root to say so
  }
  process_ = start(words);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (;;) {
    try {
      close(connect_to(port_));
      return;
    } catch (const std::system_error&) {
      const bool ended = waitpid(process_, nullptr, WNOHANG) == process_;
      if (ended) process_ = 0;
      if (ended || std::chrono::steady_clock::now() > limit) {
        if (!ended) kill(process_, SIGKILL);
        throw error(
            fmt::format("{} {}", words[0], ended ? "has ended at once" : "accepts no connections"));
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

server_process::~server_process() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

double server_process::used_ns() const {
  clockid_t clock = 0;
  timespec used{};
  const int error = clock_getcpuclockid(process_, &clock);
  if (error != 0) fail_server(error, "the server has ended");
  if (clock_gettime(clock, &used) != 0) fail_server(errno, "the server has ended");
  return static_cast<double>(used.tv_sec) * 1e9 + static_cast<double>(used.tv_nsec);
}

int connect_to(std::uint16_t port) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const int at_once = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    const int error = errno;
    close(connection);
    fail_server(error, fmt::format("no connection to port {} of 127.0.0.1", port));
  }
  return connection;
}

}  // namespace far::bench
