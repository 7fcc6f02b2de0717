// Failures across machines: broken connections, and reports of a rank's failure. On one machine,
// ranks learn of failures from their shared mapping.

#include <sys/eventfd.h>

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

/// How long to wait for a launcher's report of which process died, after a connection has broken.
constexpr std::uint64_t explanation_ns = 2'000'000'000;
constexpr std::size_t max_text = 1024;

}  // namespace

void callbacks::broken(void* data, ucp_ep_h endpoint, ucs_status_t status) {
  auto& here = *static_cast<link*>(data);
  for (std::size_t rank = 0; rank < here.peers_.size(); ++rank) {
    if (here.peers_[rank].endpoint == endpoint) {
      here.note_broken(static_cast<int>(rank), ucs_status_string(status));
    }
  }
}

void link::note_broken(int rank, std::string_view why) noexcept {
  if (leaving_ || !broken_.empty()) return;
  broken_rank_ = rank < 0 ? home_->rank() : rank;
  broken_ = fmt::format("is out of reach of rank {}: {}", home_->rank(), why);
  broken_at_ = home_->now();
  if (wake_event_ >= 0) eventfd_write(wake_event_, 1);  // the pump reports it to the job
}

/// Reports a broken connection to the job, unless the job has failed already. Returns true while it
/// still waits for a launcher's report.
bool link::explain_broken() {
  if (broken_.empty() || home_->job_failed()) return false;
  if (board_->is_supervised() && home_->now() - broken_at_ < explanation_ns) return true;
  shm::mark_failed(home_->job(), broken_rank_, shm::failure_kind::rank_died, broken_);
  return false;
}

/// If this is the first rank of its machine: the first rank of the next machine, cyclically; else
/// -1. So another machine watches each machine, even if their ranks never communicate.
int link::first_of_next_node() const noexcept {
  const int node = home_->node_of(home_->rank());
  int first = -1;
  int next = -1;
  for (int rank = 0; rank < home_->size(); ++rank) {
    const int there = home_->node_of(rank);
    if (there == node && rank < home_->rank()) return -1;
    if (there == 0 && first < 0) first = rank;
    if (there == node + 1 && next < 0) next = rank;
  }
  if (next >= 0) return next;
  return node > 0 ? first : -1;
}

/// Pings ranks that have been silent for a while. This is needed because no connection breaks for
/// many minutes when a network link is down.
void link::watch_peers() {
  constexpr std::uint64_t poll_interval_ns = 500'000'000;
  constexpr std::uint64_t silence_ns = 2'000'000'000;
  const std::uint64_t now = home_->now();
  if (peer_timeout_ns_ == 0 || leaving_ || now - watched_at_ < poll_interval_ns) return;
  watched_at_ = now;
  for (int rank = 0; rank < home_->size(); ++rank) {
    peer& there = peers_[static_cast<std::size_t>(rank)];
    if (there.endpoint == nullptr) {
      if (rank == watched_) send(rank, make_packet(packet_kind::ping, 0));
      continue;
    }
    if (now - there.last_heard < silence_ns) continue;
    if (now - there.last_heard > peer_timeout_ns_ && broken_.empty()) {
      broken_rank_ = rank;
      broken_at_ = now;
      broken_ = fmt::format(
          "was not heard of by rank {} for {} s: its machine or the link to it is down, or its "
          "process is stopped (FAR_PEER_TIMEOUT)",
          home_->rank(), peer_timeout_ns_ / 1'000'000'000);
    } else if (now - there.pinged_at >= silence_ns) {
      there.pinged_at = now;
      send(rank, make_packet(packet_kind::ping, 0));
    }
  }
}

/// The ranks to notify of a failure: on each other machine a rank with which this one is connected,
/// else the first. If launchers notify the job anyway, makes no new connections: the other end may
/// be leaving too, and the TCP of UCX 1.13 fails an assertion if it answers a rank that has just
/// left.
std::vector<int> link::ranks_to_notify(int failed) const {
  std::vector<int> result;  // by node; nodes are numbered in the order of their first ranks
  for (int rank = 0; rank < home_->size(); ++rank) {
    const auto node = static_cast<std::size_t>(home_->node_of(rank));
    if (node >= result.size()) result.resize(node + 1, no_rank);
    if (rank == failed || home_->near(rank)) continue;
    const bool spoken = peers_[static_cast<std::size_t>(rank)].endpoint != nullptr;
    if (spoken || (result[node] == no_rank && !board_->is_supervised())) result[node] = rank;
  }
  std::erase(result, no_rank);
  return result;
}

/// At the end of a job that has failed: notifies the other machines, unless the report came from
/// there. Returns true if there was a rank to notify.
bool link::spread_failure() noexcept {
  if (board_->is_of_one_machine()) return false;
  if (home_->job().header().kind == shm::failure_kind::job_ended) return false;
  const int failed = static_cast<int>(home_->job().header().failed.load()) - 1;
  if (!home_->near(failed) && failed != broken_rank_) return false;
  const std::vector<int> told = ranks_to_notify(failed);
  for (const int rank : told) {
    try {
      send_failure(rank, failed);
    } catch (const error&) {
      // This rank cannot be notified.
    }
  }
  return !told.empty();
}

void link::send_failure(int rank, int failed) {
  const shm::job_header& job = home_->job().header();
  const std::string_view text(job.failure_text.data());
  const payload bytes = std::as_bytes(std::span(text.substr(0, max_text)));
  packet_buffer packet = make_packet(packet_kind::failed, bytes.size());
  header_of(*packet).value = static_cast<std::uint64_t>(failed);
  header_of(*packet).detail = static_cast<std::uint16_t>(job.kind);
  packet->add(bytes);
  send(rank, std::move(packet));
}

bool link::note_failure(const packet_header& packet, payload body) {
  const auto kind = static_cast<shm::failure_kind>(packet.detail);
  if (packet.value >= static_cast<std::uint64_t>(home_->size()) ||
      kind > shm::failure_kind::rank_died) {  // only launchers report job_ended
    return false;
  }
  const std::string text(reinterpret_cast<const char*>(body.data()), body.size());
  shm::mark_failed(home_->job(), static_cast<int>(packet.value), kind, text);
  return true;
}

}  // namespace far::fabric::ucx
