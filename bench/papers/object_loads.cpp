#include "bench/papers/object_loads.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/common/meeting.hpp"

namespace far::bench {
namespace {

/// A node of a list: the smallest object with a reference.
struct list_node {
  std::uint64_t value;
  ref<list_node> next;
};

constexpr int warm_up = 3;  // rounds
/// Longer than any benchmark in which other machines compute takes: their communication threads
/// sleep until a message comes.
constexpr std::uint64_t busy_ns = 1'000'000'000;

/// Makes `object`'s reference known to all ranks.
template <class T>
ref<T> share(object_space& space, const char* name, ref<T> object) {
  if (object) space.set_root(name, object);
  space.barrier();
  return space.root<T>(name);
}

std::uint64_t whole(double ns) { return static_cast<std::uint64_t>(std::llround(ns)); }

/// Times rounds after a warm-up, in which all ranks take part.
template <class Round>
double time_of_round(world& world, int rounds, Round round) {
  for (int i = 0; i < warm_up; ++i) round(i);
  const std::uint64_t begin = world.now();
  for (int i = 0; i < rounds; ++i) round(warm_up + i);
  return static_cast<double>(world.now() - begin) / rounds;
}

}  // namespace
}  // namespace far::bench

template <>
struct far::object_type<far::bench::list_node>
    : far::object_fields<far::bench::list_node, &far::bench::list_node::value,
                         &far::bench::list_node::next> {};

namespace far::bench {

machine_times time_machine(object_jobs& on) {
  constexpr int rounds = 100;
  machine_times found;
  on.run_on(2, "put and message", [&](world& world) {
    const object_space space(world);  // has a service thread
    const auto word = broadcast(world, allocate_local<std::uint64_t>(world), 1);
    barrier(world);
    if (world.rank() == 0) {
      found.put = time_of_round(
          world, rounds, [&](int round) { put(world, word, static_cast<std::uint64_t>(round)); });
      found.message = time_of_round(world, rounds, [&](int) { rpc(world, 1, [] {}).get(); }) / 2;
    } else {
      world.compute(busy_ns);
    }
    barrier(world);
  });
  return found;
}

lock_times lock_loop(object_jobs& on, int machines, const object_space_options& how,
                     std::uint64_t duration_ns, double work_ns) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(machines));
  on.run_on(machines, "locks", [&](world& world) {
    object_space space(world, how);
    const auto object = share(
        space, "lock", world.rank() == 0 ? space.make<std::uint64_t>() : ref<std::uint64_t>());
    const std::uint64_t end = world.now() + duration_ns;
    std::uint64_t count = 0;
    for (; world.now() < end; ++count) {
      world.compute(whole(work_ns));
      const auto lock = space.lock(object);
    }
    counts[static_cast<std::size_t>(world.rank())] = count;
    space.barrier();
  });
  std::uint64_t remote = 0;
  for (std::size_t r = 1; r < counts.size(); ++r) remote += counts[r];
  const auto between = [&](std::uint64_t locks, int threads) {
    return locks == 0 ? 0 : static_cast<double>(duration_ns) * threads / static_cast<double>(locks);
  };
  return {between(counts[0] + remote, 1), between(counts[0], 1), between(remote, machines - 1)};
}

double barrier_loop(object_jobs& on, int machines, const object_space_options& how, int rounds) {
  double found = 0;
  on.run_on(machines, "barriers", [&](world& world) {
    object_space space(world, how);
    ref<apps::meeting> made;
    if (world.rank() == 0) {
      made = space.make<apps::meeting>();
      space.write(made).threads = static_cast<std::uint64_t>(machines);
    }
    const auto all = share(space, "meeting", made);
    const double ns = time_of_round(world, rounds, [&](int) { apps::meet(space, all); });
    if (world.rank() == 0) found = ns;
    space.barrier();
  });
  return found;
}

double list_walk(object_jobs& on, int machines, const object_space_options& how, int nodes) {
  double found = 0;
  on.run_on(machines, "list", [&](world& world) {
    object_space space(world, how);
    const int part = nodes / (machines - 1);
    const auto name_of = [](int rank) { return "list " + std::to_string(rank); };
    if (world.rank() > 0) {
      ref<list_node> head;
      for (int i = 0; i < part; ++i) head = space.make<list_node>(list_node{1, head});
      space.set_root(name_of(world.rank()), head);
    }
    space.barrier();
    if (world.rank() == 0) {
      std::vector<ref<list_node>> heads;
      for (int r = 1; r < machines; ++r) heads.push_back(space.root<list_node>(name_of(r)));
      std::uint64_t sum = 0;
      const std::uint64_t begin = world.now();
      for (ref<list_node> at : heads) {
        for (; at; at = space.read(at).next) sum += space.read(at).value;
      }
      found = static_cast<double>(world.now() - begin) / static_cast<double>(sum);
    } else {
      world.compute(busy_ns);
    }
    space.barrier();
  });
  return found;
}

double change_loop(object_jobs& on, int machines, object_space_options how, int every, int rounds,
                   double work_ns) {
  how.migrate_after = 0;  // when the home has made its rounds, another machine may be alone
  constexpr std::uint64_t count = changed_bytes / sizeof(double);
  double found = 0;
  on.run_on(machines, fmt::format("each {}. element", every), [&](world& world) {
    object_space space(world, how);
    const bool home = world.rank() == 0;
    const auto array =
        share(space, "array", home ? space.make_array<double>(count) : ref<double[]>());
    const auto object =
        share(space, "lock", home ? space.make<std::uint64_t>() : ref<std::uint64_t>());
    const auto first = static_cast<std::size_t>(world.rank());
    const double ns = time_of_round(world, rounds, [&](int round) {
      const std::span<double> data = space.write_from(array, 0);
      for (std::size_t i = first; i < data.size(); i += static_cast<std::size_t>(every)) {
        data[i] = round + 1;
      }
      world.compute(whole(work_ns));
      const auto lock = space.lock(object);
    });
    found = std::max(found, ns);  // of the slowest
    space.barrier();
    const std::span<const double> data = space.read_from(array, 0);
    for (std::size_t i = 0; i < data.size(); ++i) {
      const bool changes = i % static_cast<std::size_t>(every) < static_cast<std::size_t>(machines);
      if (data[i] != (changes ? warm_up + rounds : 0)) {
        throw error(
            fmt::format("paper-e: element {} is {} after {} rounds", i, data[i], warm_up + rounds));
      }
    }
    space.barrier();
  });
  return found;
}

}  // namespace far::bench
