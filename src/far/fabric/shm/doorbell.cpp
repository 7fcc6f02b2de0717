#include "far/fabric/shm/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <ctime>

namespace far::fabric::shm {

// Futexes are not private, because processes sleep on the same word through different mappings.

void ring_slow(rank_block& rank, std::uint64_t sleepers) noexcept {
  for (; sleepers != 0; sleepers &= sleepers - 1) {
    auto& doorbell = rank.contexts[static_cast<std::size_t>(std::countr_zero(sleepers))].doorbell;
    doorbell.fetch_add(1, std::memory_order_seq_cst);
    syscall(SYS_futex, &doorbell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
}

void wake_sleepers(std::atomic<std::uint32_t>& word) noexcept {
  constexpr int all = 1 << 20;
  syscall(SYS_futex, &word, FUTEX_WAKE, all, nullptr, nullptr, 0);
}

void sleep_on(std::atomic<std::uint32_t>& doorbell, std::uint32_t seen,
              std::uint64_t timeout_ns) noexcept {
  constexpr std::uint64_t ns_per_s = 1'000'000'000;
  timespec limit{static_cast<time_t>(timeout_ns / ns_per_s),
                 static_cast<long>(timeout_ns % ns_per_s)};
  syscall(SYS_futex, &doorbell, FUTEX_WAIT, seen, timeout_ns == 0 ? nullptr : &limit, nullptr, 0);
}

}  // namespace far::fabric::shm
