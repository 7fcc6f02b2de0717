#include "far/fabric/shm/wait_report.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "far/fabric/address.hpp"
#include "far/fabric/shm/fixed_text.hpp"

namespace far::fabric::shm {
namespace {

constexpr std::string_view service_reason = "messages (service thread)";

struct wait_state {
  std::array<char, 33> what{};  // zero-terminated
  int rank = -1;
  address word;
  std::uint64_t since_ns = 0;
};

/// Reads what a context waits for. Its owner may change the words at the same time: they are
/// consistent if wait_since_ns was the same before and after. False: it does not wait.
bool read_wait(const context_block& context, wait_state& state) {
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (context.waiting.load(std::memory_order_acquire) == 0) return false;
    state.since_ns = context.wait_since_ns.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < context.wait_what.size(); ++i) {
      const std::uint64_t word = context.wait_what[i].load(std::memory_order_acquire);
      std::memcpy(state.what.data() + i * sizeof(word), &word, sizeof(word));
    }
    state.rank = context.wait_rank.load(std::memory_order_acquire);
    state.word = address::from_bits(context.wait_word.load(std::memory_order_acquire));
    if (context.wait_since_ns.load(std::memory_order_acquire) == state.since_ns) return true;
  }
  return true;  // the waits are too short for a consistent read; the latest words will do
}

std::uint64_t now_ns(const region& job) {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1)) -
         job.header().start_ns.load(std::memory_order_relaxed);
}

using line_text = fixed_text<256>;

void describe(line_text& text, const wait_state& state, std::uint64_t now) {
  text.add(" waits for {}", state.what.data());
  if (state.rank >= 0) text.add(", on rank {}", state.rank);
  if (state.word) {
    text.add(", word {}/{}/{} (rank/segment/offset)", state.word.rank(), state.word.segment(),
             state.word.offset());
  }
  const std::uint64_t ms = (now - std::min(state.since_ns, now)) / 1'000'000;
  text.add(", since {}.{:03} s", ms / 1000, ms % 1000);
}

}  // namespace

void report_waits(const region& job, int rank, base::function_ref<void(std::string_view)> line) {
  const rank_block& block = job.rank(rank);
  const int pid = block.pid.load(std::memory_order_relaxed);
  line_text text;
  switch (block.stage.load(std::memory_order_acquire)) {
    case rank_stage::absent:
      text.add("rank {}: has not joined the job", rank);
      return line(text.view());
    case rank_stage::finished:
      text.add("rank {} (pid {}): has finished", rank, pid);
      return line(text.view());
    case rank_stage::joined:
      break;
  }
  const std::uint64_t now = now_ns(job);
  bool waits = false;
  for (int i = 0; i < job.shape().contexts; ++i) {
    wait_state state;
    if (!read_wait(block.contexts[static_cast<std::size_t>(i)], state)) continue;
    // The service thread always waits, which says nothing about the rank's own threads.
    waits |= state.what.data() != service_reason;
    text.clear();
    text.add("rank {} (pid {}): context {}", rank, pid, i);
    describe(text, state, now);
    line(text.view());
  }
  if (!waits) {
    text.clear();
    text.add("rank {} (pid {}): is computing, not waiting", rank, pid);
    line(text.view());
  }
}

}  // namespace far::fabric::shm
