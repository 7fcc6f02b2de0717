#pragma once
// An operation on many keys by calls: each home gets few large messages with its keys, several in
// flight at a time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "far/containers/map/batch.hpp"
#include "far/containers/map/batch_choices.hpp"
#include "far/homes/registry.hpp"
#include "far/rpc/call.hpp"
#include "far/world/world.hpp"

namespace far::containers {

/// Calls `remote` at the homes of the keys. Each call returns a vector of answers of type A, or
/// what arrives as one; store(i, answer, rank) receives each answer, possibly after an exception
/// was thrown. here(begin, indices) processes this rank's own keys, keys[begin + index] for each
/// index, while other ranks work. If `plan` is not null, it records how long the answer of each
/// message took.
/// Errors: the first exception of calls, `here` and `store`, when all have ended.
template <class A, class Answers, class Remote, class K, class HomeOf, class Here, class Store,
          class... Operands>
void run_batch(const world& world, homes::object_id id, const Remote& remote,
               std::span<const K> keys, HomeOf home_of, Here here, Store store,
               const std::shared_ptr<planned_batch>& plan, std::span<const Operands>... operands) {
  (check_lengths(keys.size(), operands.size()), ...);
  const std::size_t room = world.fabric().max_payload();
  const std::size_t max_count = max_results<A>(room);
  const std::size_t max_bytes = room - sizeof(Remote) - 64;  // id and lengths
  const std::size_t block =
      std::max<std::size_t>(65536, 1024u * static_cast<unsigned>(world.size()));
  owner_groups groups(world.size());
  calls_in_flight calls;

  for (std::size_t begin = 0; begin < keys.size(); begin += block) {
    const std::size_t count = std::min(block, keys.size() - begin);
    const std::span<const K> block_keys = keys.subspan(begin, count);
    groups.sort(count, [&](std::size_t i) { return home_of(block_keys[i]); });
    for (int step = 1; step < world.size(); ++step) {
      const int rank = (world.rank() + step) % world.size();
      const auto bytes_of = [&](std::uint32_t i) {
        return wire::bytes_of(block_keys[i], operands[begin + i]...);
      };
      const auto send = [&](std::span<const std::uint32_t> chunk) {
        detail::call_options options;
        options.reply_bytes = reply_bytes_of<A>(chunk.size(), room);
        const std::uint64_t sent = world.now();
        auto call =
            detail::start_call(world, rank, options, remote, id, gathered<K>{block_keys, chunk},
                               gathered<Operands>{operands.subspan(begin, count), chunk}...);
        calls.add(call.then([world, store, plan, begin, rank, sent,
                             places = std::vector(chunk.begin(), chunk.end())](Answers answers) {
          if (plan != nullptr) plan->answered(rank, world.now() - sent);
          check_results(places.size(), answers.size());
          for (std::size_t i = 0; i < places.size(); ++i) {
            store(begin + places[i], std::move(answers[i]), rank);
          }
        }));
      };
      for_each_chunk(groups.of(rank), max_count, max_bytes, bytes_of, send);
    }
    calls.guard([&] { here(begin, groups.of(world.rank())); });
  }
  calls.wait();
}

}  // namespace far::containers
