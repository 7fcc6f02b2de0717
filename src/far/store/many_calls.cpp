// Operations on many keys: one call of each home that is not reached by instructions.

#include <cstddef>
#include <utility>

#include "far/rpc/call.hpp"
#include "far/store/home_calls.hpp"
#include "far/store/home_serves.hpp"

namespace far::stores {
namespace {

/// Which of many operations are for a home.
using places = std::vector<std::size_t>;

/// Calls ask(home, places) for each home that has some, and then take(places, i, its answer) for
/// each.
template <class Answer, class Ask, class Take>
void call_each(const std::vector<places>& of_homes, Ask ask, Take take) {
  std::vector<std::pair<const places*, future<std::vector<Answer>>>> calls;
  for (std::size_t home = 0; home < of_homes.size(); ++home) {
    if (of_homes[home].empty()) continue;
    calls.emplace_back(&of_homes[home], ask(static_cast<int>(home), of_homes[home]));
  }
  for (auto& [mine, call] : calls) {
    std::vector<Answer> answers = call.get();
    for (std::size_t i = 0; i < mine->size(); ++i) take((*mine)[i], answers.at(i));
  }
}

}  // namespace

std::vector<std::optional<stored_item>> read_many(const world& world, store_part& of,
                                                  std::span<const std::string_view> keys) {
  std::vector<std::optional<stored_item>> found(keys.size());
  std::vector<places> of_homes(static_cast<std::size_t>(world.size()));
  const store_second now = second_of(world.fabric());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const key_hash hash(keys[i]);
    const int home = hash.home(world.size());
    if (of.mapped_part(home) != nullptr) {
      found[i] = read_here(world, of, home, hash, keys[i]);
    } else if (auto copy = of.copied.find(hash, keys[i], now)) {
      found[i] = std::move(copy);
    } else {
      of_homes[static_cast<std::size_t>(home)].push_back(i);
    }
  }
  call_each<read_answer>(
      of_homes,
      [&](int home, const places& mine) {
        std::vector<std::string> asked;
        for (const std::size_t i : mine) asked.emplace_back(keys[i]);
        return rpc<serve_read_many>(world, home, of.id, asked);
      },
      [&](std::size_t i, read_answer& answer) {
        of.copied.count_read(false);
        if (answer.is_busy) {
          found[i] = read_remote(world, of, key_hash(keys[i]).home(world.size()), keys[i]);
        } else if (answer.is_there) {
          found[i] = std::move(answer.item);
        }
      });
  return found;
}

std::vector<store_reply> execute_many(const world& world, store_part& of,
                                      std::span<const store_request> asked) {
  std::vector<store_reply> replies(asked.size());
  std::vector<places> of_homes(static_cast<std::size_t>(world.size()));
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const int home = key_hash(asked[i].key).home(world.size());
    if (of.mapped_part(home) != nullptr) {
      replies[i] = execute(world, of, asked[i]);
    } else {
      of_homes[static_cast<std::size_t>(home)].push_back(i);
    }
  }
  call_each<answer>(
      of_homes,
      [&](int home, const places& mine) {
        std::vector<wire_request> sent;
        for (const std::size_t i : mine) {
          sent.push_back({asked[i], std::string(asked[i].key), std::string(asked[i].value)});
        }
        return rpc<serve_many>(world, home, of.id, sent);
      },
      [&](std::size_t i, answer& got) {
        replies[i] = got.how == outcome::done ? std::move(got.reply) : execute(world, of, asked[i]);
      });
  return replies;
}

}  // namespace far::stores
