#include "far/launch/roster.hpp"

#include <cstring>
#include <vector>

#include "far/base/error.hpp"

namespace far::launch {

record cards_of(const shm::region& job) {
  record result = record::array();
  for (int rank = 0; rank < job.job_ranks(); ++rank) {
    if (!job.holds(rank)) continue;
    const shm::roster_entry& entry = job.roster(rank);
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(entry.card.data());
    const std::size_t bytes = entry.card_bytes.load(std::memory_order_acquire);
    result.push_back({rank, record::binary(std::vector<std::uint8_t>(begin, begin + bytes))});
  }
  return result;
}

void lay_cards(const shm::region& job, const record& cards) {
  for (const record& one : cards) {
    const int rank = one.at(0).get<int>();
    const auto& card = one.at(1).get_binary();
    if (rank < 0 || rank >= job.job_ranks() || card.size() > shm::max_card_bytes) {
      throw fabric_error("the cards of the ranks are malformed");
    }
    if (job.holds(rank)) continue;
    shm::roster_entry& entry = job.roster(rank);
    std::memcpy(entry.card.data(), card.data(), card.size());
    entry.card_bytes.store(static_cast<std::uint32_t>(card.size()), std::memory_order_release);
  }
}

record failure_in(const shm::region& job) {
  const shm::job_header& header = job.header();
  return {{"rank", static_cast<int>(header.failed.load(std::memory_order_acquire)) - 1},
          {"kind", static_cast<std::uint32_t>(header.kind)},
          {"status", header.exit_status},
          {"text", std::string(header.failure_text.data())}};
}

void mark_failure(const shm::region& job, const record& failure) {
  const int rank = failure.at("rank").get<int>();
  const auto kind = static_cast<shm::failure_kind>(failure.at("kind").get<std::uint32_t>());
  if (rank < 0 || rank >= job.job_ranks() || kind > shm::failure_kind::job_ended) {
    throw fabric_error("the report of a failure is malformed");
  }
  if (kind == shm::failure_kind::job_ended) {
    shm::mark_exit(job, rank, failure.at("status").get<int>());
    return;
  }
  shm::mark_failed(job, rank, kind, failure.at("text").get<std::string>());
}

record record_of(const shm::job_failure& failure) {
  record result{{"rank", failure.rank}, {"pid", failure.pid}, {"text", failure.text}};
  if (failure.wait_status) result["status"] = *failure.wait_status;
  if (failure.asked_status) result["asked"] = *failure.asked_status;
  return result;
}

shm::job_failure failure_of(const record& what) {
  shm::job_failure result;
  result.rank = what.at("rank").get<int>();
  result.pid = what.at("pid").get<pid_t>();
  result.text = what.at("text").get<std::string>();
  if (what.contains("status")) result.wait_status = what.at("status").get<int>();
  if (what.contains("asked")) result.asked_status = what.at("asked").get<int>();
  return result;
}

}  // namespace far::launch
