// On a node, each member adds 1 to the leader's `counter`. The old value tells the last member to
// arrive that it is the last. If the node is the whole team, this member combines the deposits and
// releases the others. Otherwise it notifies the leader, the leaders synchronize by dissemination,
// and each releases its node. Source: D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier
// synchronization, 1988.
//
// Episodes are numbered from 1. In the arguments below, "e is over for M" means that M has returned
// from e.
// - counter (added to by the node's n members). M adds for e + 1 after e is over for M, and e is
//   over for no member before all n have added for e. So until all have added for e, 0 to n - 1
//   have, and exactly one member's add finds n - 1.
//   Members add 1 + 2^24 code, where the code tells their calls (call_trail.hpp). If all have made
//   the same calls up to e - 1, each knows what the counter was before e: n times the sum of its
//   own adds. What it finds beyond that is k adds for e, and if each of them is like its own, those
//   k members have made its calls. Each checks that, so the first that differs from those before it
//   notices, as does the next after it. All of this is modulo 2^64; k and codes are below 2^20.
// - release of M (set to e by the last to arrive or the leader). The store of e + 1 is issued after
//   M has added for e + 1, that is, after M has seen e. So no two stores are in flight at once,
//   though their writers differ.
// - node_ready of the leader (set to e by the last to arrive, unless that is the leader). Likewise:
//   the leader adds for e + 1 after it has seen e, or after it was itself the last in e.
// - round(k) of a leader (added to by the leader 2^k before it, once per episode). Two adds may be
//   in flight at once, because a fast leader need not wait until a slow one has read the word. Adds
//   commute, and a count of e says that the sender has reached round k of e, so waiting for >= e is
//   enough. They carry codes as well. A leader checks them when it finds a count of e; if the
//   sender is ahead already, it checks the sum in the next episode.
// - table and deposits at the leader (put by their member and flushed before it adds). The last to
//   arrive has seen all adds, so it reads all of them. The next deposit comes after the release.
// - results of M (put with the release). M copies them out before it adds again.

#include "far/team/rendezvous.hpp"

#include <cstring>
#include <vector>

#include "far/team/mismatch.hpp"
#include "far/team/words.hpp"

namespace far::detail {
namespace {

constexpr std::uint64_t episode_mask = (std::uint64_t{1} << 24) - 1;

/// What this member adds to words that count episodes.
std::uint64_t own_add(const team_state& team) noexcept { return 1 + (team.trail.code() << 24); }

/// Waits until a word of this rank counts this episode.
void await_episode(fabric::context& context, team_state& team, fabric::address word,
                   const char* what, int member) {
  const auto there = [&] { return context.peek(word) >= team.rendezvous_count; };
  if (!there()) wait_for_member(context, team, there, what, member, word);
}

void write(fabric::context& context, fabric::address to, std::span<const std::byte> bytes) {
  const fabric::put_part part{to, bytes.data(), bytes.size()};
  context.put({&part, 1});
}

/// Writes this member's deposit, and in the first episode its block's address, to the leader.
/// Deposits are adjacent, in the order of the node's members.
void bring(fabric::context& context, team_state& team, const rendezvous_load* load) {
  const fabric::address leader = team.block_of(context, team.node().leader());
  const auto index = static_cast<std::uint64_t>(team.node().index);
  const std::uint64_t own_block = team.block().bits();
  bool any = false;
  if (team.rendezvous_count == 1 && !team.node().is_leader()) {
    write(context, place(leader, team.layout().member_table() + index * block_layout::word),
          std::as_bytes(std::span(&own_block, 1)));
    any = true;
  }
  if (load != nullptr && !load->brought.empty()) {
    write(context, place(leader, team.layout().deposits() + index * load->brought.size()),
          load->brought);
    any = true;
  }
  if (any) context.flush(leader.rank());
}

void read(fabric::context& context, fabric::address from, std::span<std::byte> to) {
  const fabric::get_part part{from, to.data(), to.size()};
  fabric::completion done;
  context.get({&part, 1}, &done);
  context.wait(done, {"deposits of a rendezvous", from.rank(), from});
}

/// At the member that releases: reads the addresses of the others' blocks from the leader's table.
void learn_blocks(fabric::context& context, team_state& team) {
  const team_node& node = team.node();
  std::vector<std::uint64_t> table;
  for (int i = 1; i < node.size(); ++i) {
    const int member = node.members[static_cast<std::size_t>(i)];
    if (team.knows_block_of(member)) continue;
    if (table.empty()) {
      table.resize(node.members.size());
      const fabric::address leader = team.block_of(context, node.leader());
      read(context, place(leader, team.layout().member_table()),
           std::as_writable_bytes(std::span(table)));
    }
    team.set_block_of(member, fabric::address::from_bits(table[static_cast<std::size_t>(i)]));
  }
}

void release_others(fabric::context& context, team_state& team) {
  learn_blocks(context, team);
  for (const int member : team.node().members) {
    if (member == team.rank()) continue;
    tell(context, place(team.block_of(context, member), block_layout::release()),
         team.rendezvous_count);
  }
}

/// At the last member to arrive, in a team of one node.
void share_and_release(fabric::context& context, team_state& team, const rendezvous_load& load) {
  learn_blocks(context, team);
  const auto n = static_cast<std::size_t>(team.size());
  const std::span<std::byte> all{team.scratch(n * load.brought.size()), n * load.brought.size()};
  if (!all.empty()) {
    read(context, place(team.block_of(context, team.node().leader()), team.layout().deposits()),
         all);
  }
  load.combine(all);
  fabric::completion sources;
  for (int member = 0; member < team.size(); ++member) {
    if (member == team.rank()) continue;
    const fabric::address block = team.block_of(context, member);
    const auto share = load.share_of(all, member);
    const fabric::put_part part{place(block, team.layout().results()), share.data(), share.size()};
    const fabric::signal after{place(block, block_layout::release()), team.rendezvous_count};
    context.put({&part, 1}, nullptr, &sources, &after);
  }
  const auto own = load.share_of(all, team.rank());
  if (!own.empty()) std::memcpy(load.taken.data(), own.data(), own.size());
  context.wait(sources, {"results of a rendezvous", -1, {}});
}

void rendezvous_leaders(fabric::context& context, team_state& team, const char* what) {
  const team_node& node = team.node();
  const int n = static_cast<int>(node.leaders.size());
  for (int level = 0, distance = 1; distance < n; ++level, distance *= 2) {
    const auto leader_at = [&](int index) { return node.leaders[static_cast<std::size_t>(index)]; };
    const int to = leader_at((node.leader_index + distance) % n);
    const int from = leader_at((node.leader_index + n - distance) % n);
    add_remote(context, place(team.block_of(context, to), team.layout().round(level)),
               own_add(team));
    const fabric::address word = place(team.block(), team.layout().round(level));
    std::uint64_t ahead = 0;
    const auto there = [&] {
      ahead = context.peek(word) - team.rendezvous_sum;
      return (ahead & episode_mask) <= episode_mask / 2;  // not negative
    };
    if (!there()) wait_for_member(context, team, there, what, from, word);
    if ((ahead & episode_mask) == 0 && ahead != 0) report_mismatch(context, team, from);
  }
}

}  // namespace

bool fits_rendezvous(const team_state& team, std::size_t brought, std::size_t taken) {
  constexpr std::size_t longest_list = 65536;  // read by one member
  return team.node().is_whole_team() && brought <= block_layout::deposit_bytes &&
         taken <= block_layout::result_bytes &&
         brought * static_cast<std::size_t>(team.size()) <= longest_list;
}

void rendezvous(fabric::context& context, team_state& team, const char* what,
                const rendezvous_load* load) {
  const team_node& node = team.node();
  const std::uint64_t episode = ++team.rendezvous_count;
  const std::uint64_t sum_before = team.rendezvous_sum;
  const std::uint64_t add = own_add(team);
  team.rendezvous_sum += add;
  bring(context, team, load);

  bool last = node.size() == 1;
  if (!last) {
    const auto n = static_cast<std::uint64_t>(node.size());
    const fabric::address counter =
        place(team.block_of(context, node.leader()), block_layout::counter());
    const std::uint64_t found =
        fetch(context, amo_on(context, counter, fabric::amo_op::add, add), what) - n * sum_before;
    const std::uint64_t here = found & episode_mask;
    if (found != here * add) report_mismatch(context, team, -1);
    last = here + 1 == n;
  }

  if (node.is_whole_team() && last) {
    if (load != nullptr) return share_and_release(context, team, *load);
    return release_others(context, team);
  }
  if (!node.is_whole_team() && node.is_leader()) {
    if (!last) {
      await_episode(context, team, place(team.block(), block_layout::node_ready()), what, -1);
    }
    rendezvous_leaders(context, team, what);
    return release_others(context, team);
  }
  if (last) {
    tell(context, place(team.block_of(context, node.leader()), block_layout::node_ready()),
         episode);
  }
  await_episode(context, team, place(team.block(), block_layout::release()), what,
                last ? node.leader() : -1);
  if (load != nullptr && !load->taken.empty()) {
    std::memcpy(load->taken.data(),
                context.owner().local(place(team.block(), team.layout().results())),
                load->taken.size());
  }
}

}  // namespace far::detail
