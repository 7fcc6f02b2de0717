// The world team. A rank creates its state when it first needs it or when another rank first
// requests its block. So no rank has to wait until all have created theirs.

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/team/team_state.hpp"

namespace far::detail {
namespace {

/// Attached to a rank's state.
struct world_team {
  explicit world_team(rank_state& state)
      : team(state, team_state::kind::world, {}, state.fabric().rank()) {}
  team_state team;
};

// Answers other than the address of a block: their rank is out of range.
constexpr fabric::address not_yet(fabric::address::max_ranks - 1, 0, 1);
constexpr fabric::address no_memory(fabric::address::max_ranks - 1, 0, 2);

/// Replies with the address of this rank's block of the world team.
struct find_block {
  static void run(fabric::message& message) {
    const std::uint64_t answer = look(message).bits();
    message.reply(std::as_bytes(std::span(&answer, 1)));
  }

 private:
  static fabric::address look(const fabric::message& message) noexcept {
    auto* const state = static_cast<rank_state*>(message.owner());
    if (state == nullptr) return not_yet;  // the service thread starts before the rank does
    try {
      return world_team_state(*state).block();
    } catch (const std::exception&) {
      return no_memory;
    }
  }
};

struct question : fabric::request {
  std::uint64_t answer = 0;

  question() {
    on_reply = [](fabric::request& self, fabric::payload bytes) noexcept {
      if (bytes.size() != sizeof(answer)) return;
      std::memcpy(&static_cast<question&>(self).answer, bytes.data(), sizeof(answer));
    };
  }
};

}  // namespace

team_state& world_team_state(rank_state& state) { return state.get<world_team>().team; }

fabric::address find_world_block(fabric::context& context, int world_rank) {
  fabric::backoff patience;
  for (;;) {
    question asked;
    fabric::send_request message;
    message.rank = world_rank;
    message.handler = fabric::handler_of<find_block>::index();
    message.reply = &asked;
    message.reply_bytes = sizeof(asked.answer);
    context.send(message);
    context.wait(asked, {"the world team", world_rank, {}});
    const auto block = fabric::address::from_bits(asked.answer);
    if (block == no_memory) {
      throw out_of_memory(
          fmt::format("rank {} has no memory for the world team: raise FAR_LOCAL_HEAP, `far run "
                      "--local-heap` or job_options::local_bytes",
                      world_rank));
    }
    if (block.rank() == world_rank && block) return block;
    if (block != not_yet) {
      throw fabric_error(fmt::format("rank {} replied {:#x} as the address of its world team",
                                     world_rank, asked.answer));
    }
    context.pause(patience);
  }
}

}  // namespace far::detail
