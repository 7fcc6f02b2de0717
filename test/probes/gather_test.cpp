// Probe: a helper gathers. The requester names landings across its memory. The helper picks strided
//   pieces of its own memory, cut at other places, and the reply puts them one after the other into
//   the landings, and does not touch the gaps.

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "far/fabric/handlers.hpp"
#include "test/support/jobs.hpp"

namespace far::fabric {
namespace {

using gather_test = test::on_ranks;

constexpr std::uint64_t source_offset = 64, target_offset = 8192;
constexpr std::size_t rows = 32, row_bytes = 40, stride = 104;

std::byte pattern(int rank, std::size_t i) {
  return static_cast<std::byte>(static_cast<std::size_t>(rank) * 31 + i * 7 + 1);
}

/// At the helper: replies with every row and their number, at once or from a task.
template <bool Late>
struct gather_rows {
  static void run(message& m) {
    const auto answer = [token = m.take_token()](context& lane) {
      fabric& rank = lane.owner();
      const std::byte* from = rank.local({rank.rank(), local_segment, source_offset});
      std::array<gather, rows> pieces;
      for (std::size_t i = 0; i < rows; ++i) pieces[i] = {from + i * stride, row_bytes};
      lane.reply(token, std::as_bytes(std::span(&rows, 1)), pieces);
    };
    Late ? m.defer(answer) : answer(m.lane());
  }
};

struct gather_reply : request {
  std::size_t rows_sent = 0;
};

/// The max number of landings, of 1 to 40 bytes, with gaps of 3; the last one takes the rest.
std::vector<landing> make_landings(int rank) {
  std::vector<landing> landings;
  std::uint64_t left = rows * row_bytes;
  std::uint64_t at = target_offset;
  for (std::size_t i = 0; i < max_landings; ++i) {
    const std::uint64_t bytes = i + 1 == max_landings ? left : std::min(left, 1 + i * 13 % 40);
    landings.push_back({{rank, symmetric_segment, at}, bytes});
    at += bytes + 3;
    left -= bytes;
  }
  return landings;
}

void gather_from_next(fabric& rank, handler_index handler) {
  const auto c = rank.open_context();
  rank.set_extent(symmetric_segment, 16384);
  rank.set_extent(local_segment, 16384);
  std::byte* source = rank.local({rank.rank(), local_segment, source_offset});
  for (std::size_t i = 0; i < rows * stride; ++i) source[i] = pattern(rank.rank(), i);
  rank.quiesce(*c);
  const int helper = (rank.rank() + 1) % rank.size();
  const std::vector<landing> landings = make_landings(rank.rank());
  gather_reply answer;
  answer.on_reply = [](request& r, payload bytes) noexcept {
    std::memcpy(&static_cast<gather_reply&>(r).rows_sent, bytes.data(), bytes.size());
  };
  send_request ask{.rank = helper, .handler = handler, .reply = &answer, .reply_bytes = 8};
  ask.landings = landings;
  c->send(ask);
  c->wait(answer, {"rows", helper, {}});
  EXPECT_EQ(answer.rows_sent, rows);
  std::size_t taken = 0;
  for (const landing& place : landings) {
    const std::byte* got = rank.local(place.to);
    for (std::uint64_t i = 0; i < place.bytes; ++i, ++taken) {
      ASSERT_EQ(got[i], pattern(helper, taken / row_bytes * stride + taken % row_bytes)) << taken;
    }
    for (std::uint64_t i = 0; i < 3; ++i) ASSERT_EQ(got[place.bytes + i], std::byte{0});
  }
  rank.quiesce(*c);
}

TEST_P(gather_test, scatters_into_landings) {
  seeds = 200;
  run_fabric([](fabric& r) { gather_from_next(r, handler_of<gather_rows<false>>::index()); });
}

TEST_P(gather_test, scatters_from_a_task) {
  seeds = 200;
  run_fabric([](fabric& r) { gather_from_next(r, handler_of<gather_rows<true>>::index()); });
}

INSTANTIATE_FAR_MODES(gather_test);

}  // namespace
}  // namespace far::fabric
