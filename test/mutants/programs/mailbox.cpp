// A server that writes its answers into slots of its clients. A request names the slot, which
// belongs to the answer until the client has taken it.

#include <cstddef>

#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/atomic_ref.hpp"
#include "far/rma/signal.hpp"
#include "far/rma/transfer.hpp"
#include "far/rpc/rpc.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

constexpr std::uint64_t slots = 2;
constexpr std::uint64_t requests = 8;

struct mailbox {
  ptr<std::uint64_t> answers;  // one per slot
  ptr<std::uint64_t> told;     // number of the slot's last answer, from 1
};

/// At the server: answers request n with n squared.
future<void> serve(world& server, ptr<std::uint64_t> answer, ptr<std::uint64_t> told,
                   std::uint64_t n) {
  return put_async(server, answer, n * n).then([server, told, n] {
    return atomic_ref<std::uint64_t>(server, told).waking().store_async(n);
  });
}

void ask(const world& w, const mailbox& own, std::uint64_t n) {
  const auto slot = static_cast<std::int64_t>(n % slots);
  rpc_oneway<serve>(w, 0, own.answers + slot, own.told + slot, n);
}

void take(const world& w, const mailbox& own, std::uint64_t n) {
  const auto slot = static_cast<std::int64_t>(n % slots);
  wait_signal(w, own.told + slot, at_least{n});
  check(get(w, own.answers + slot) == n * n, "the answer is another one's");
}

void clients(world& w) {
  const mailbox own{allocate<std::uint64_t>(w, slots), allocate<std::uint64_t>(w, slots)};
  w.fabric().quiesce(w.context());
  if (w.rank() == 0) return;
  for (std::uint64_t n = 1; n <= requests; ++n) {
    if (n > slots) take(w, own, n - slots);
    ask(w, own, n);
  }
  for (std::uint64_t n = requests - slots + 1; n <= requests; ++n) take(w, own, n);
}

const program the_mailbox("mailbox", {.ranks = 3}, clients);

}  // namespace
}  // namespace far::mutants
