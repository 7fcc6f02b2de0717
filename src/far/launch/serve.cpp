// `far run --node`, which the head starts on each machine. It receives the job's description,
// reports how large its heaps can be, and becomes the launcher of the machine's ranks.

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/standard_streams.hpp"
#include "far/fabric/handlers.hpp"
#include "far/launch/node.hpp"
#include "far/launch/over_hosts.hpp"

namespace far::launch {
namespace {

/// How long the head may be silent before the job has started.
constexpr std::chrono::seconds longest_silence{60};

void write_all(const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t now = write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
    if (now < 0 && errno != EINTR) throw fabric_error("cannot write to the head");
    if (now > 0) done += static_cast<std::size_t>(now);
  }
}

/// Waits for the next message of the head, which must be a `wanted` one. Null: the head ends the
/// job, or has failed.
std::optional<record> await(frame_reader& head, frame_kind wanted) {
  auto last_heard = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - last_heard < longest_silence) {
    while (const auto order = head.next()) {
      if (order->kind == wanted) return order->parsed();
      if (order->kind != frame_kind::heartbeat) return std::nullopt;
      write_all(framed(frame_kind::heartbeat));
    }
    pollfd ready{head.descriptor(), POLLIN, 0};
    if (poll(&ready, 1, 1000) <= 0) continue;
    if (!head.read_some()) return std::nullopt;
    last_heard = std::chrono::steady_clock::now();
  }
  return std::nullopt;
}

/// Takes over the head's variables and working directory.
void adopt_environment(const record& job) {
  for (const auto& [name, value] : job.at("variables").items()) {
    setenv(name.c_str(), value.get<std::string>().c_str(), 1);
  }
  const std::string folder = job.at("folder").get<std::string>();
  if (chdir(folder.c_str()) != 0) {
    throw fabric_error(fmt::format("cannot enter the working directory '{}' there: {}", folder,
                                   std::strerror(errno)));
  }
  setenv("PWD", folder.c_str(), 1);
}

launch_options options_of(const record& job, int ranks) {
  launch_options result;
  result.ranks = ranks;
  result.program = job.at("program").get<std::string>();
  result.args = job.at("args").get<std::vector<std::string>>();
  result.service = job.at("service").get<bool>();
  result.tag_output = job.at("tag_output").get<bool>();
  result.symmetric_bytes = job.at("symmetric").get<std::uint64_t>();
  result.local_bytes = job.at("local").get<std::uint64_t>();
  return result;
}

void serve_job(frame_reader& head, const record& job) {
  adopt_environment(job);
  const auto nodes = job.at("nodes").get<std::vector<std::int32_t>>();
  const auto node = job.at("node").get<std::int32_t>();
  const auto ranks = static_cast<int>(std::count(nodes.begin(), nodes.end(), node));
  const launch_options options = options_of(job, ranks);
  shm::geometry shape = shm::geometry_of(job_of(options));
  write_all(framed(frame_kind::able, {{"symmetric", shape.symmetric_bytes},
                                      {"local", shape.local_bytes},
                                      {"nic", shape.nic_bytes}}));
  const auto start = await(head, frame_kind::start);
  if (!start) return;
  shape.symmetric_bytes = start->at("symmetric").get<std::uint64_t>();
  shape.local_bytes = start->at("local").get<std::uint64_t>();
  shape.nic_bytes = start->at("nic").get<std::uint64_t>();
  const bool alone = std::count(nodes.begin(), nodes.end(), nodes.front()) ==
                     static_cast<std::ptrdiff_t>(nodes.size());
  shape.ranks_per_node = alone ? 0 : ranks;  // 0: without an uplink
  shm::region region = shm::region::create(shape, nodes, node);
  region.header().key = job.at("key").get<std::uint64_t>();
  const bool first = nodes.front() == node;
  node_launcher all(options, std::move(region), first ? make_pipe("rank 0") : pipe_ends{}, head,
                    job.at("silence").get<std::uint64_t>());
  try {
    all.run();
  } catch (const std::exception& failure) {
    all.report_unable(failure.what());
  }
}

}  // namespace

int serve() {
  base::hold_standard_streams();
  frame_reader head(STDIN_FILENO);
  try {
    write_all(framed(frame_kind::hello, {{"build", fabric::handlers_fingerprint()}}));
    if (const auto job = await(head, frame_kind::job)) serve_job(head, *job);
  } catch (const std::exception& failure) {
    const std::string why = failure.what();
    try {
      write_all(framed(frame_kind::unable, {{"text", why}}));
    } catch (const fabric_error&) {
      // The head cannot be told.
    }
    return launch_failed;
  }
  return 0;
}

}  // namespace far::launch
