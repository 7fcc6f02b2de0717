// Two ranks each raise a flag, then look at the other's: at most one finds it down.

#include <cstddef>

#include "far/memory/allocate.hpp"
#include "far/rma/async.hpp"
#include "far/rma/flush.hpp"
#include "far/rma/transfer.hpp"
#include "test/mutants/explore.hpp"

namespace far::mutants {
namespace {

void handshake(world& w) {
  constexpr std::int64_t rounds = 8;
  const auto flags = allocate<std::uint64_t>(w, rounds);
  const auto alone = allocate<std::uint64_t>(w, rounds);
  w.fabric().quiesce(w.context());
  const int other = 1 - w.rank();
  for (std::int64_t round = 0; round < rounds; ++round) {
    // Each flag is at its reader, so raising it takes longer than looking.
    (void)put_async(w, flags.on(other) + round, 1u);
    flush(w);
    if (get(w, flags + round) == 0) put(w, alone + round, 1u);
  }
  w.fabric().quiesce(w.context());
  for (std::int64_t round = 0; round < rounds; ++round) {
    check(get(w, alone + round) + get(w, alone.on(other) + round) <= 1,
          "each found the other's flag down");
  }
}

const program the_handshake("handshake", {.ranks = 2}, handshake);

}  // namespace
}  // namespace far::mutants
