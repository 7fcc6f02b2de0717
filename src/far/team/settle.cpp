#include "far/team/settle.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>

#include "far/base/error.hpp"
#include "far/team/barrier.hpp"
#include "far/team/reduce.hpp"

namespace far::detail {

void settle(const world& world, std::span<batch_sender* const> senders) {
  std::exception_ptr failure;
  const auto any_waiting = [&] {
    return std::any_of(senders.begin(), senders.end(),
                       [](const batch_sender* sender) { return sender->waiting(); });
  };
  for (;;) {
    do {
      for (batch_sender* const sender : senders) {
        try {
          sender->flush();
        } catch (const rank_failed&) {
          throw;
        } catch (...) {  // the others need this rank in the barrier
          if (failure == nullptr) failure = std::current_exception();
        }
      }
    } while (any_waiting());
    // After the barrier nothing is in flight, and no rank sends before all have counted. So waiting
    // calls do not change while they are counted.
    barrier(world);
    if (allreduce(world, std::uint64_t{any_waiting()}) == 0) break;
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace far::detail
