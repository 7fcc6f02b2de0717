// In round i = 1 .. n - 1 member r sends to r + i and receives from r - i (modulo n). Rounds are
// assigned to lanes in turn, and lanes do not wait for each other. Within a lane, a member begins a
// round when it has finished the one before. A lane of receiver R has two slots in R's block; chunk
// t of a round uses slot t % 2.
//
// - grant[R] at S (only R adds to it). R grants the first two chunks of a round by one add when its
//   lane begins the round, and chunk t + 2 when R has taken chunk t. S sends a chunk when the count
//   exceeds the number of all chunks that it has ever sent to R. R grants in order, so a count of m
//   says that the first m chunks are granted, in whatever order the adds arrive. R grants exactly
//   as many chunks as S sends, so grants beyond those of one exchange belong to the next.
//   The first grant of a round also adds the code of R's calls (call_trail.hpp) to the high bits. R
//   grants nothing of the next exchange before it has all chunks of this one, so when S sends its
//   first chunk, the high bits are the sum of the codes up to this exchange, which S knows.
// - lane_arrival(lane, slot) at R (set by S, after the payload, to a tag that no other chunk of
//   this slot has). Only the holder of a grant for the slot writes this word or the slot, and R
//   grants the slot again after it has taken the chunk, so no two writes are in flight at once.
// No deadlock: lanes are independent. In one lane, a send in round i waits only for its receiver to
// begin round i, and that depends only on sends of earlier rounds.

#include "far/team/exchange.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "far/team/gather.hpp"
#include "far/team/mismatch.hpp"
#include "far/team/words.hpp"

namespace far::detail {
namespace {

constexpr std::uint64_t slots = block_layout::slots;
constexpr std::uint64_t chunk_mask = (std::uint64_t{1} << call_trail::code_shift) - 1;

std::uint64_t tag_of(std::uint64_t exchange, int round, std::uint64_t chunk) noexcept {
  return exchange << 40 | static_cast<std::uint64_t>(round) << 20 | (chunk & 0xfffff);
}

/// State that all lanes share.
struct exchange_run {
  fabric::context* context;
  team_state* team;
  const exchange_plan* plan;
  fabric::completion sources;

  [[nodiscard]] std::size_t chunk() const noexcept { return team->layout().chunk(); }
  [[nodiscard]] std::uint64_t chunks_of(std::size_t bytes) const noexcept {
    return (bytes + chunk() - 1) / chunk();
  }
  [[nodiscard]] int member(int distance) const noexcept {
    return (team->rank() + team->size() + distance) % team->size();
  }
  [[nodiscard]] fabric::address block(int member) const { return team->block_of(*context, member); }
  /// This member's code, where words have it.
  [[nodiscard]] std::uint64_t code() const noexcept {
    return team->trail.code() << call_trail::code_shift;
  }
};

/// The sending side of a lane.
class sender {
 public:
  sender(exchange_run& run, std::uint64_t lane) : run_(&run), lane_(lane) {
    round_ = static_cast<int>(lane) + 1;
    begin_round();
  }

  [[nodiscard]] bool is_done() const noexcept { return round_ >= run_->team->size(); }
  [[nodiscard]] int partner() const noexcept { return run_->member(round_); }
  [[nodiscard]] bool is_granted() const {
    granted_ =
        run_->context->peek(place(run_->team->block(), run_->team->layout().grant(partner())));
    return (granted_ & chunk_mask) > (used() & chunk_mask);
  }
  /// Sends the next chunk if it is granted.
  bool step() {
    if (is_done() || !is_granted()) return false;
    if (chunk_ == 0) check_receiver();
    ++used();
    const std::uint64_t slot = chunk_ % slots;
    const block_layout& layout = run_->team->layout();
    const fabric::address block = run_->block(partner());
    const std::size_t at = chunk_ * run_->chunk();
    const fabric::put_part part{place(block, layout.lane_slot(lane_, slot)), data_.data() + at,
                                std::min(run_->chunk(), data_.size() - at)};
    const fabric::signal after{place(block, layout.lane_arrival(lane_, slot)),
                               tag_of(run_->team->exchanges, round_, chunk_)};
    run_->context->put({&part, 1}, nullptr, &run_->sources, &after);
    if (++chunk_ == run_->chunks_of(data_.size())) {
      round_ += static_cast<int>(block_layout::lanes);
      begin_round();
    }
    return true;
  }

 private:
  [[nodiscard]] std::uint64_t& used() const noexcept {
    return run_->team->grants_used[static_cast<std::size_t>(partner())];
  }
  void check_receiver() const {
    used() += run_->code();
    if ((granted_ ^ used()) >> call_trail::code_shift == 0) return;
    report_mismatch(*run_->context, *run_->team, partner());
  }
  /// Skips rounds in which this member sends nothing.
  void begin_round() {
    chunk_ = 0;
    for (; !is_done(); round_ += static_cast<int>(block_layout::lanes)) {
      data_ = run_->plan->outgoing(partner());
      if (!data_.empty()) return;
    }
  }

  exchange_run* run_;
  std::uint64_t lane_;
  int round_;
  std::uint64_t chunk_ = 0;
  std::span<const std::byte> data_;
  mutable std::uint64_t granted_ = 0;  // the word that is_granted has read
};

/// The receiving side of a lane.
class receiver {
 public:
  receiver(exchange_run& run, std::uint64_t lane) : run_(&run), lane_(lane) {
    round_ = static_cast<int>(lane) + 1;
    begin_round();
  }

  [[nodiscard]] bool is_done() const noexcept { return round_ >= run_->team->size(); }
  [[nodiscard]] int partner() const noexcept { return run_->member(-round_); }
  [[nodiscard]] bool has_arrived() const {
    return run_->context->peek(place(run_->team->block(),
                                     run_->team->layout().lane_arrival(lane_, chunk_ % slots))) ==
           tag_of(run_->team->exchanges, round_, chunk_);
  }
  /// Takes the next chunk if it has arrived.
  bool step() {
    if (is_done() || !has_arrived()) return false;
    const std::size_t at = chunk_ * run_->chunk();
    const fabric::address slot =
        place(run_->team->block(), run_->team->layout().lane_slot(lane_, chunk_ % slots));
    std::memcpy(data_.data() + at, run_->context->owner().local(slot),
                std::min(run_->chunk(), data_.size() - at));
    const std::uint64_t chunks = run_->chunks_of(data_.size());
    if (chunk_ + slots < chunks) grant(1);
    if (++chunk_ == chunks) {
      round_ += static_cast<int>(block_layout::lanes);
      begin_round();
    }
    return true;
  }

 private:
  void grant(std::uint64_t chunks) {
    add_remote(*run_->context,
               place(run_->block(partner()), run_->team->layout().grant(run_->team->rank())),
               chunks);
  }
  /// Skips rounds in which this member receives nothing.
  void begin_round() {
    chunk_ = 0;
    for (; !is_done(); round_ += static_cast<int>(block_layout::lanes)) {
      data_ = run_->plan->incoming(partner());
      if (data_.empty()) continue;
      return grant(std::min(slots, run_->chunks_of(data_.size())) + run_->code());
    }
  }

  exchange_run* run_;
  std::uint64_t lane_;
  int round_;
  std::uint64_t chunk_ = 0;
  std::span<std::byte> data_;
};

}  // namespace

void exchange(fabric::context& context, team_state& team, const exchange_plan& plan) {
  learn_all_blocks(context, team);
  ++team.exchanges;
  team.grants_used.resize(static_cast<std::size_t>(team.size()));
  exchange_run run{&context, &team, &plan, {}};
  // Receivers come first: they issue grants, so that partners can send at once.
  std::vector<receiver> receivers;
  std::vector<sender> senders;
  for (std::uint64_t lane = 0; lane < block_layout::lanes; ++lane)
    receivers.emplace_back(run, lane);
  for (std::uint64_t lane = 0; lane < block_layout::lanes; ++lane) senders.emplace_back(run, lane);

  const auto all_done = [&] {
    const auto is_done = [](const auto& lane) { return lane.is_done(); };
    return std::all_of(receivers.begin(), receivers.end(), is_done) &&
           std::all_of(senders.begin(), senders.end(), is_done);
  };
  const auto any_can = [&] {
    return std::any_of(receivers.begin(), receivers.end(),
                       [](const receiver& r) { return !r.is_done() && r.has_arrived(); }) ||
           std::any_of(senders.begin(), senders.end(),
                       [](const sender& s) { return !s.is_done() && s.is_granted(); });
  };
  while (!all_done()) {
    bool any = false;
    for (receiver& lane : receivers) any |= lane.step();
    for (sender& lane : senders) any |= lane.step();
    if (any || all_done()) continue;
    int awaited = -1;
    for (const sender& lane : senders) {
      if (!lane.is_done()) awaited = lane.partner();
    }
    for (const receiver& lane : receivers) {
      if (!lane.is_done()) awaited = lane.partner();
    }
    wait_for_member(context, team, any_can, "data of a collective", awaited);
  }
  context.wait(run.sources, {"sending in a collective", -1, {}});
}

void learn_all_blocks(fabric::context& context, team_state& team) {
  if (team.knows_all_blocks) return;
  const std::uint64_t mine = team.block().bits();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(team.size()));
  allgather_small(context, team, std::as_bytes(std::span(&mine, 1)),
                  std::as_writable_bytes(std::span(all)));
  for (int member = 0; member < team.size(); ++member) {
    team.set_block_of(member, fabric::address::from_bits(all[static_cast<std::size_t>(member)]));
  }
  team.knows_all_blocks = true;
}

}  // namespace far::detail
