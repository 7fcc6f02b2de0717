// Queues and maps that all ranks use at once.

#include <array>
#include <memory>
#include <span>

#include "bench/scaling/load.hpp"

namespace far::bench::scaling {
namespace {

using word = std::uint64_t;

constexpr std::uint64_t slots = std::uint64_t{1} << 19;
constexpr std::uint64_t inserted = std::uint64_t{1} << 18;
constexpr std::uint64_t found = std::uint64_t{1} << 16;
constexpr word hot_key = 7;

/// Collective, while no rank uses the queue: leaves so many values in it. `at_host` is the view of
/// the first rank, which is the queue's host.
template <class View>
void hold_exactly(const world& world, View&& at_host, std::int64_t values) {
  barrier(world);
  if (world.rank() == 0) {
    std::array<word, 4096> part{};
    while (at_host.try_pop(std::span<word>(part)) > 0) continue;
    for (std::int64_t rest = values; rest > 0;) {
      const auto now = std::min(rest, std::ssize(part));
      const std::span<const word> next(part.data(), static_cast<std::size_t>(now));
      if (!at_host.try_push(next)) throw error("a queue of far bench scaling is too small");
      rest -= now;
    }
  }
  barrier(world);
}

template <class Queue>
struct queue_bed {
  explicit queue_bed(const world& world) : queue(world, 0, slots), user(queue.on(world)) {}
  queue_bed(const world& world, policy how) : queue(world, 0, slots), user(queue.with(how)) {}

  Queue queue;
  typename Queue::view_type user;
};

template <class Queue, class... How>
load pushes(const world& world, std::string name, How... how) {
  const auto bed = std::make_shared<queue_bed<Queue>>(world, how...);
  load result = load_of(std::move(name), [bed](std::int64_t i) {
    if (!bed->user.try_push(static_cast<word>(i))) throw error("a push found the queue full");
  });
  result.make_ready = [bed, &world](std::int64_t) { hold_exactly(world, bed->queue, 0); };
  result.room = room_of_each(slots, world);
  return result;
}

template <class Queue, class... How>
load pops(const world& world, std::string name, How... how) {
  const auto bed = std::make_shared<queue_bed<Queue>>(world, how...);
  load result = load_of(std::move(name), [bed](std::int64_t) {
    const auto value = bed->user.try_pop();
    if (!value) throw error("a pop found the queue empty");
    keep(*value);
  });
  result.make_ready = [bed, &world](std::int64_t each) {
    hold_exactly(world, bed->queue, each * world.size());
  };
  result.room = room_of_each(slots, world);
  return result;
}

word key_of(const world& world, std::int64_t i) {
  return static_cast<word>(world.rank()) << 40 | static_cast<word>(i);
}

using number_map = hash_map<word, word>;

}  // namespace

std::vector<load> queue_loads(world& world) {
  using plain = queue<word>;
  return {pushes<plain>(world, "queue push", policy::one_sided),
          pops<plain>(world, "queue pop", policy::one_sided),
          pushes<plain>(world, "queue push by rpc", policy::rpc),
          pushes<checksum_queue<word>>(world, "checksum_queue push")};
}

std::vector<load> map_loads(world& world) {
  const auto keys = std::make_shared<number_map>(world, 2 * inserted);
  load insert = load_of(
      "map insert", [keys, &world](std::int64_t i) { keep(keys->insert(key_of(world, i), 1)); });
  insert.make_ready = [keys](std::int64_t) { keys->clear(); };
  insert.room = room_of_each(inserted, world);

  const auto full = std::make_shared<number_map>(world, found);
  for (auto key = static_cast<word>(world.rank()); key < found;
       key += static_cast<word>(world.size())) {
    (void)full->insert(key, key);
  }
  barrier(world);
  const load find = load_of("map find", [full, random = random_of(world, 0)](std::int64_t) mutable {
    const auto value = full->find(random.below(found));
    if (!value) throw error("a find missed a key of the map");
    keep(*value);
  });

  const auto hot = std::make_shared<number_map>(world, 1 << 10);
  const load add =
      load_of("map add, one key", [hot](std::int64_t) { (void)hot->add_or_insert(hot_key, 1); });
  return {insert, find, add};
}

}  // namespace far::bench::scaling
