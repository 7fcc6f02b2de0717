#include "far/team/member_blocks.hpp"

#include <cstring>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/fabric/handlers.hpp"

namespace far::detail {
namespace {

constexpr std::uint64_t none =
    0;  // as an answer: the rank has no such team, or only begins to start

struct question_bytes {
  member_key key;
  std::uint64_t awaited = 0;
};

struct find_team_block {
  static void run(fabric::message& message) {
    auto* const state = static_cast<rank_state*>(message.owner());
    question_bytes asked;
    if (state == nullptr || message.bytes().size() != sizeof(asked)) {
      return message.reply(std::as_bytes(std::span(&none, 1)));
    }
    std::memcpy(&asked, message.bytes().data(), sizeof(asked));
    state->get<member_blocks>().answer(message, asked.key, asked.awaited != 0);
  }
};

struct team_question : fabric::request {
  std::uint64_t answer = 0;

  team_question() {
    on_reply = [](fabric::request& self, fabric::payload bytes) noexcept {
      if (bytes.size() != sizeof(answer)) return;
      std::memcpy(&static_cast<team_question&>(self).answer, bytes.data(), sizeof(answer));
    };
  }
};

}  // namespace

member_key member_blocks::next_key(std::span<const int> members) {
  member_key key{members.size(), 1, 0};
  for (const int rank : members) {
    key.list = base::mix(key.list + static_cast<std::uint64_t>(rank));
    key.list_again = base::mix(key.list_again ^ (static_cast<std::uint64_t>(rank) + 1));
  }
  const std::scoped_lock lock(mutex_);
  key.number = ++made_[{key.list, key.list_again}];
  return key;
}

void member_blocks::publish(fabric::context& context, const member_key& key,
                            fabric::address block) {
  std::vector<fabric::reply_token> waiting;
  {
    const std::scoped_lock lock(mutex_);
    ready_.emplace(key, block);
    const auto [begin, end] = asked_.equal_range(key);
    for (auto one = begin; one != end; ++one) waiting.push_back(one->second);
    asked_.erase(begin, end);
  }
  const std::uint64_t answer = block.bits();
  for (const fabric::reply_token& token : waiting) {
    context.reply(token, std::as_bytes(std::span(&answer, 1)));
  }
}

void member_blocks::withdraw(const member_key& key) {
  const std::scoped_lock lock(mutex_);
  ready_.erase(key);
}

void member_blocks::answer(fabric::message& question, const member_key& key, bool awaited) {
  std::uint64_t block = none;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = ready_.find(key);
    if (found == ready_.end() && awaited) {
      asked_.emplace(key, question.take_token());
      return;
    }
    if (found != ready_.end()) block = found->second.bits();
  }
  question.reply(std::as_bytes(std::span(&block, 1)));
}

fabric::address find_member_block(fabric::context& context, int world_rank, const member_key& key,
                                  bool awaited) {
  const question_bytes question{key, awaited ? std::uint64_t{1} : 0};
  fabric::backoff patience;
  for (;;) {
    team_question asked;
    fabric::send_request message;
    message.rank = world_rank;
    message.handler = fabric::handler_of<find_team_block>::index();
    message.head = std::as_bytes(std::span(&question, 1));
    message.reply = &asked;
    message.reply_bytes = sizeof(asked.answer);
    context.send(message);
    context.wait(asked, {"a member to make its team", world_rank, {}});
    const auto block = fabric::address::from_bits(asked.answer);
    if ((block.rank() == world_rank && block) || (asked.answer == none && !awaited)) return block;
    if (asked.answer != none) {
      throw fabric_error(fmt::format("rank {} replied {:#x} as the address of its block of a team",
                                     world_rank, asked.answer));
    }
    context.pause(patience);
  }
}

}  // namespace far::detail
