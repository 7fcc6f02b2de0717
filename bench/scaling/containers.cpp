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
void hold_exactly(const world& view, View&& at_host, std::int64_t values) {
  barrier(view);
  if (view.rank() == 0) {
    std::array<word, 4096> part{};
    while (at_host.try_pop(std::span<word>(part)) > 0) continue;
    for (std::int64_t rest = values; rest > 0;) {
      const auto now = std::min(rest, std::ssize(part));
      const std::span<const word> next(part.data(), static_cast<std::size_t>(now));
      if (!at_host.try_push(next)) throw error("a queue of far bench scaling is too small");
      rest -= now;
    }
  }
  barrier(view);
}

template <class Queue>
struct queue_bed {
  explicit queue_bed(const world& view) : queue(view, 0, slots), user(queue.on(view)) {}
  queue_bed(const world& view, policy how) : queue(view, 0, slots), user(queue.with(how)) {}

  Queue queue;
  typename Queue::view_type user;
};

template <class Queue, class... How>
load pushes(const world& view, std::string name, How... how) {
  const auto bed = std::make_shared<queue_bed<Queue>>(view, how...);
  load result = load_of(std::move(name), [bed](std::int64_t i) {
    if (!bed->user.try_push(static_cast<word>(i))) throw error("a push found the queue full");
  });
  result.make_ready = [bed, &view](std::int64_t) { hold_exactly(view, bed->queue, 0); };
  result.room = room_of_each(slots, view);
  return result;
}

template <class Queue, class... How>
load pops(const world& view, std::string name, How... how) {
  const auto bed = std::make_shared<queue_bed<Queue>>(view, how...);
  load result = load_of(std::move(name), [bed](std::int64_t) {
    const auto value = bed->user.try_pop();
    if (!value) throw error("a pop found the queue empty");
    keep(*value);
  });
  result.make_ready = [bed, &view](std::int64_t each) {
    hold_exactly(view, bed->queue, each * view.size());
  };
  result.room = room_of_each(slots, view);
  return result;
}

word key_of(const world& view, std::int64_t i) {
  return static_cast<word>(view.rank()) << 40 | static_cast<word>(i);
}

using number_map = hash_map<word, word>;

}  // namespace

std::vector<load> queue_loads(world& view) {
  using plain = queue<word>;
  return {pushes<plain>(view, "queue push", policy::one_sided),
          pops<plain>(view, "queue pop", policy::one_sided),
          pushes<plain>(view, "queue push by rpc", policy::rpc),
          pushes<checksum_queue<word>>(view, "checksum_queue push")};
}

std::vector<load> map_loads(world& view) {
  const auto keys = std::make_shared<number_map>(view, 2 * inserted);
  load insert = load_of("map insert",
                        [keys, &view](std::int64_t i) { keep(keys->insert(key_of(view, i), 1)); });
  insert.make_ready = [keys](std::int64_t) { keys->clear(); };
  insert.room = room_of_each(inserted, view);

  const auto full = std::make_shared<number_map>(view, found);
  for (auto key = static_cast<word>(view.rank()); key < found;
       key += static_cast<word>(view.size())) {
    (void)full->insert(key, key);
  }
  barrier(view);
  const load find = load_of("map find", [full, random = random_of(view, 0)](std::int64_t) mutable {
    const auto value = full->find(random.below(found));
    if (!value) throw error("a find missed a key of the map");
    keep(*value);
  });

  const auto hot = std::make_shared<number_map>(view, 1 << 10);
  const load add =
      load_of("map add, one key", [hot](std::int64_t) { (void)hot->add_or_insert(hot_key, 1); });
  return {insert, find, add};
}

}  // namespace far::bench::scaling
