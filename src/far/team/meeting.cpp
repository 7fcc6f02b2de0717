// On a node, members count themselves at the leader's `counter`; the last to come sees by the old
// value that it is the last. If the node is the whole team, it combines what was brought and
// releases the others. Else it tells the leader, the leaders meet by dissemination, and each
// releases its node. Source: D. Hensgen, R. Finkel, U. Manber, Two algorithms for barrier
// synchronization, 1988.
//
// Episodes are numbered from 1. In every argument below, "e is over for M" means: M has left it.
// - counter (added to by the node's n members). M adds for e + 1 after e is over for M, and e is
//   over for nobody before all n have added for e. So while e gathers, the counter is in
//   [n (e - 1), n e), and exactly one member sees n e - 1.
// - release of M (set to e, by the last to come or the leader). The set for e + 1 is issued after
//   M has added for e + 1, that is after M has seen e. So no two are under way at once, though
//   their writers differ.
// - node_ready of the leader (set to e, by the last to come, if that is not the leader). Likewise:
//   the leader adds for e + 1 after it has seen e, or after it was the last of e itself.
// - round(k) of a leader (added to by one leader, 2^k before it, once an episode). Two adds may be
//   under way at once, for a fast leader need not wait for a slow one's look; adds commute, and a
//   count of e says that the sender has come to round k of e. So waiting for >= e is enough.
// - table and deposits at the leader (put by their member before it adds, flushed between): the
//   last to come has seen all adds, so it reads all of them; the next deposit comes after release.
// - results of M (put with the release): M copies it out before it adds again.

#include "far/team/meeting.hpp"

#include <cstring>
#include <vector>

#include "far/team/words.hpp"

namespace far::detail {
namespace {

void write(fabric::context& context, fabric::address to, std::span<const std::byte> bytes) {
  const fabric::put_part part{to, bytes.data(), bytes.size()};
  context.put({&part, 1});
}

/// What M brings lies beside what the others bring, in the order of the node.
void bring(fabric::context& context, team_state& team, const meeting* load) {
  const fabric::address leader = team.block_of(context, team.node().leader());
  const auto index = static_cast<std::uint64_t>(team.node().index);
  const std::uint64_t own_block = team.block().bits();
  bool any = false;
  if (team.meetings == 1 && !team.node().is_leader()) {
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
  context.wait(done, {"what a meeting brought", from.rank(), from});
}

/// At the member that releases: where the others' blocks are, from the leader's table.
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
    tell(context, place(team.block_of(context, member), block_layout::release()), team.meetings);
  }
}

/// At the last to come, in a team of one node.
void share_and_release(fabric::context& context, team_state& team, const meeting& load) {
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
    const fabric::signal after{place(block, block_layout::release()), team.meetings};
    context.put({&part, 1}, nullptr, &sources, &after);
  }
  const auto own = load.share_of(all, team.rank());
  if (!own.empty()) std::memcpy(load.taken.data(), own.data(), own.size());
  context.wait(sources, {"results of a meeting", -1, {}});
}

void meet_leaders(fabric::context& context, team_state& team, const char* what) {
  const team_node& node = team.node();
  const int n = static_cast<int>(node.leaders.size());
  for (int level = 0, distance = 1; distance < n; ++level, distance *= 2) {
    const auto leader_at = [&](int index) { return node.leaders[static_cast<std::size_t>(index)]; };
    const int to = leader_at((node.leader_index + distance) % n);
    const int from = leader_at((node.leader_index + n - distance) % n);
    tell_more(context, place(team.block_of(context, to), team.layout().round(level)));
    await(context, place(team.block(), team.layout().round(level)), team.meetings, what,
          team.world_rank(from));
  }
}

}  // namespace

bool can_bring(const team_state& team, std::size_t brought, std::size_t taken) {
  constexpr std::size_t longest_list = 65536;  // which one member reads alone
  return team.node().is_whole_team() && brought <= block_layout::deposit_bytes &&
         taken <= block_layout::result_bytes &&
         brought * static_cast<std::size_t>(team.size()) <= longest_list;
}

void meet(fabric::context& context, team_state& team, const char* what, const meeting* load) {
  const team_node& node = team.node();
  const std::uint64_t episode = ++team.meetings;
  bring(context, team, load);

  bool last = node.size() == 1;
  if (!last) {
    const fabric::address counter =
        place(team.block_of(context, node.leader()), block_layout::counter());
    const std::uint64_t before =
        fetch(context, amo_on(context, counter, fabric::amo_op::add, 1), what);
    last = before + 1 == episode * static_cast<std::uint64_t>(node.size());
  }

  if (node.is_whole_team() && last) {
    if (load != nullptr) return share_and_release(context, team, *load);
    return release_others(context, team);
  }
  if (!node.is_whole_team() && node.is_leader()) {
    if (!last) await(context, place(team.block(), block_layout::node_ready()), episode, what, -1);
    meet_leaders(context, team, what);
    return release_others(context, team);
  }
  if (last) {
    tell(context, place(team.block_of(context, node.leader()), block_layout::node_ready()),
         episode);
  }
  await(context, place(team.block(), block_layout::release()), episode, what,
        last ? team.world_rank(node.leader()) : -1);
  if (load != nullptr && !load->taken.empty()) {
    std::memcpy(load->taken.data(),
                context.owner().local(place(team.block(), team.layout().results())),
                load->taken.size());
  }
}

}  // namespace far::detail
