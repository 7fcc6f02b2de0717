// Probe: a ring of puts with signals. Each rank fills its successor's buffer and signals. The
//   successor checks the payload and acknowledges with a signal without payload; then the buffer
//   may be filled again. There are no flushes and no messages.

#include <algorithm>
#include <array>

#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

using ring_test = test::on_ranks;

constexpr address filled(0, symmetric_segment, 64);        // rounds that have arrived here
constexpr address acknowledged(0, symmetric_segment, 72);  // rounds that the successor has read
constexpr address head(0, symmetric_segment, 100);         // unaligned on purpose
constexpr address tail(0, symmetric_segment, 4096);

TEST_P(ring_test, payload_is_there_when_its_signal_is) {
  seeds = 200;
  const std::uint64_t rounds = options.mode == job_mode::fibers ? 8 : 300;
  run_fabric([rounds](fabric& rank) {
    const auto c = rank.open_context();
    rank.set_extent(symmetric_segment, 16384);
    rank.quiesce(*c);
    const int me = rank.rank();
    const int next = (me + 1) % rank.size();
    const int last = (me + rank.size() - 1) % rank.size();
    std::array<std::byte, 50> small;
    std::array<std::byte, 3000> large;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      small.fill(static_cast<std::byte>(round * 16 + static_cast<std::uint64_t>(me) % 16));
      large.fill(small[0]);
      const put_part parts[] = {{head.on(next), small.data(), small.size()},
                                {tail.on(next), large.data(), large.size()}};
      const signal here{filled.on(next), 1, signal::kind::add};
      completion source;
      c->put(parts, nullptr, &source, &here);

      c->wait([&] { return c->peek(filled.on(me)) == round; }, never,
              {"the predecessor's put", last, filled.on(me)});
      const auto want = static_cast<std::byte>(round * 16 + static_cast<std::uint64_t>(last) % 16);
      const auto all_are = [&](address from, std::size_t bytes) {
        const std::byte* begin = rank.local(from.on(me));
        return std::all_of(begin, begin + bytes, [&](std::byte b) { return b == want; });
      };
      EXPECT_TRUE(all_are(head, small.size())) << "round " << round;
      EXPECT_TRUE(all_are(tail, large.size())) << "round " << round;

      const signal read{acknowledged.on(last), round};
      c->put({}, nullptr, nullptr, &read);
      c->wait([&] { return c->peek(acknowledged.on(me)) == round; }, never,
              {"the successor's acknowledgement", next, acknowledged.on(me)});
      c->wait(source, {"the buffers", next, {}});
    }
    rank.quiesce(*c);
  });
}

INSTANTIATE_FAR_MODES(ring_test);

}  // namespace
}  // namespace far::fabric
