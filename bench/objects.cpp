// Shared objects: hits of reads and writes, making objects, monitors and fetches (rows E1 to E4,
// E8), releases of what has migrated (E3), and the pause of a collection (E9).

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/report.hpp"
#include "far/far.hpp"

namespace far::bench {

namespace {

/// One cache line.
struct link {
  std::uint64_t value = 0;
  ref<link> next;
  std::array<std::uint64_t, 6> rest{};
};

/// The same for plain pointers.
struct plain_link {
  std::uint64_t value = 0;
  plain_link* next = nullptr;
  std::array<std::uint64_t, 6> rest{};
};

/// One of many objects that refer to each other.
struct knot {
  std::uint64_t value = 0;
  std::array<ref<knot>, 3> next{};
};

}  // namespace
}  // namespace far::bench

template <>
struct far::object_type<far::bench::knot>
    : far::object_fields<far::bench::knot, &far::bench::knot::value, &far::bench::knot::next> {};
template <>
struct far::object_type<far::bench::link>
    : far::object_fields<far::bench::link, &far::bench::link::value, &far::bench::link::next,
                         &far::bench::link::rest> {};

namespace far::bench {
namespace {

constexpr std::size_t links = 1000;
constexpr std::size_t knots = 1'000'000;
constexpr double max_pause_ns = 100e6;

std::vector<std::size_t> random_order(std::size_t n = links) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  return order;
}

/// A ring of links of the calling rank, in random order.
ref<link> make_ring(object_space& space) {
  std::vector<ref<link>> all;
  for (std::size_t i = 0; i < links; ++i) all.push_back(space.make<link>());
  const auto order = random_order();
  for (std::size_t i = 0; i < links; ++i) {
    space.write(all[order[i]]).next = all[order[(i + 1) % links]];
  }
  return all[order[0]];
}

object_space_options with_protocol() {
  object_space_options how;
  how.heap_bytes = std::uint64_t{1} << 30;
  how.force_protocol = true;
  how.collects = false;  // what is measured holds references without handles
  return how;
}

object_space_options without_migration() {
  object_space_options how;
  how.force_protocol = true;
  how.migrate_after = 0;
  return how;
}

object_space_options with_replies(fetch_replies kind) {
  object_space_options how;
  how.force_protocol = true;
  how.replies = kind;
  return how;
}

/// Collective: objects of rank 1 that rank 0 fetches. Empty on other ranks than these.
std::vector<ref<link>> make_fetched(const world& world, object_space& space) {
  std::vector<ref<link>> all;
  if (world.rank() == 1) {
    for (std::size_t i = 0; i < links; ++i) {
      all.push_back(space.make<link>());
      space.set_protocol(all.back(), object_protocol::invalidate);  // nobody updates them
    }
    const auto list = space.make_array<ref<link>>(links);
    for (std::size_t i = 0; i < links; ++i) space.write(list, i) = all[i];
    space.set_root("fetched", list);
  }
  barrier(world);
  if (world.rank() == 0) {
    const auto list = space.root<ref<link>[]>("fetched");
    for (std::size_t i = 0; i < links; ++i) all.push_back(space.read(list, i));
    space.refresh();
  }
  return all;
}

/// Collective: an object of rank 1 that rank 0 alone changes. It migrates if the space lets it.
ref<std::uint64_t> make_changed(const world& world, object_space& space) {
  if (world.rank() == 1) space.set_root("changed", space.make<std::uint64_t>());
  space.barrier();
  const auto object = space.root<std::uint64_t>("changed");
  if (world.rank() == 0) {
    for (int i = 0; i < 1000; ++i) {  // rank 1 waits meanwhile
      ++space.write(object);
      space.publish();
      space.refresh();
    }
  }
  space.barrier();
  return object;
}

/// What both ranks have. Rank 0 measures, on objects of rank 1 where copies matter.
struct bed {
  explicit bed(const world& world)
      : copied(world, with_protocol()),
        settled(world, without_migration()),
        fetching(world, with_replies(fetch_replies::automatic)),
        by_messages(world, with_replies(fetch_replies::messages)),
        one_sided(world, with_replies(fetch_replies::one_sided)),
        direct(world, object_space_options{}),
        lock(world) {
    if (world.rank() == 1) {
      copied.set_root("ring", make_ring(copied));
      direct.set_root("ring", make_ring(direct));
      copied.set_root("barrier", copied.make<std::array<std::uint64_t, 2>>());
      copied.publish();
    } else {
      lone = copied.make<std::uint64_t>();
    }
    barrier(world);
    ring = copied.root<link>("ring");
    direct_ring = direct.root<link>("ring");
    meeting = copied.root<std::array<std::uint64_t, 2>>("barrier");
    changed = make_changed(world, copied);
    changed_at_home = make_changed(world, settled);
    fetched = make_fetched(world, fetching);
    fetched_by_messages = make_fetched(world, by_messages);
    fetched_one_sided = make_fetched(world, one_sided);
    const auto order = random_order();
    for (std::size_t i = 0; i < links; ++i) {
      plain[order[i]].next = &plain[order[(i + 1) % links]];
    }
    barrier(world);
  }

  object_space copied;
  object_space settled;  ///< nothing migrates
  object_space fetching;
  object_space by_messages;
  object_space one_sided;
  object_space direct;
  mcs_lock lock;
  ref<link> ring;
  ref<link> direct_ring;
  ref<std::uint64_t> lone;
  ref<std::array<std::uint64_t, 2>> meeting;
  ref<std::uint64_t> changed;
  ref<std::uint64_t> changed_at_home;
  std::vector<ref<link>> fetched;
  std::vector<ref<link>> fetched_by_messages;
  std::vector<ref<link>> fetched_one_sided;
  std::vector<plain_link> plain = std::vector<plain_link>(links);
};

void read_chase(object_space& space, ref<link> at, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) at = space.read(at).next;
  keep(at.bits());
}
void write_chase(object_space& space, ref<link> at, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    link& l = space.write(at);
    ++l.value;
    at = l.next;
  }
  keep(at.bits());
}
void plain_read_chase(plain_link* at, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) at = at->next;
  keep(at);
}
void plain_write_chase(plain_link* at, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    ++at->value;
    at = at->next;
  }
  keep(at);
}

void change(object_space& space, ref<std::uint64_t> object, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    ++space.write(object);
    space.publish();
  }
}

/// The paper's barrier: a counter under a monitor.
void meet(object_space& space, ref<std::array<std::uint64_t, 2>> at, std::uint64_t ranks) {
  auto monitor = space.monitor(at);
  monitor.lock();
  auto& words = space.write(at);
  const std::uint64_t round = words[1];
  if (++words[0] == ranks) {
    words = {0, round + 1};
    monitor.notify_all();
  } else {
    monitor.wait([&] { return space.read(at)[1] != round; });
  }
  monitor.unlock();
}

void fetch_all(object_space& space, const std::vector<ref<link>>& objects, std::int64_t count) {
  std::size_t next = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    keep(space.read(objects[next]).value);
    if (++next < links) continue;
    next = 0;
    space.refresh();
  }
  space.refresh();
}

std::vector<subject> subjects_of(world& world) {
  const auto b = std::make_shared<bed>(world);
  std::vector<subject> result;
  const auto alone = [&](std::string name, std::function<void(std::int64_t)> run) {
    if (world.rank() != 0) run = [b](std::int64_t) {};
    result.push_back({std::move(name), std::move(run)});
  };
  alone("read", [b](std::int64_t n) { read_chase(b->copied, b->ring, n); });
  alone("read, one memory", [b](std::int64_t n) { read_chase(b->direct, b->direct_ring, n); });
  alone("read, pointer", [b](std::int64_t n) { plain_read_chase(b->plain.data(), n); });
  alone("write", [b](std::int64_t n) { write_chase(b->copied, b->ring, n); });
  alone("write, one memory", [b](std::int64_t n) { write_chase(b->direct, b->direct_ring, n); });
  alone("write, pointer", [b](std::int64_t n) { plain_write_chase(b->plain.data(), n); });
  alone("make", [b](std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) keep(b->copied.make<std::uint64_t>().bits());
  });
  alone("monitor", [b](std::int64_t n) {
    auto monitor = b->copied.monitor(b->lone);
    for (std::int64_t i = 0; i < n; ++i) {
      monitor.lock();
      monitor.unlock();
    }
  });
  alone("mcs_lock", [b](std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      b->lock.lock();
      b->lock.unlock();
    }
  });
  alone("release", [b](std::int64_t n) { change(b->copied, b->changed, n); });
  alone("release without migration",
        [b](std::int64_t n) { change(b->settled, b->changed_at_home, n); });
  // As long as rank 1 may write them, copies of them are forgotten at each synchronization.
  const auto fetches = [&](std::string name, object_space& space,
                           const std::vector<ref<link>>& all) {
    alone(std::move(name), [b, &space, &all](std::int64_t n) { fetch_all(space, all, n); });
    if (world.rank() != 1) return;
    result.back().warm_up = [b, &space, &all] {
      for (const ref<link> at : all) keep(space.write(at).value);
    };
  };
  fetches("fetch", b->fetching, b->fetched);
  fetches("fetch by messages", b->by_messages, b->fetched_by_messages);
  fetches("fetch one-sided", b->one_sided, b->fetched_one_sided);
  alone("rpc", [b, &world](std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      keep(rpc(
               world, 1, [](std::uint64_t v) { return std::array<std::uint64_t, 8>{v}; },
               static_cast<std::uint64_t>(i))
               .get());
    }
  });
  const auto ranks = static_cast<std::uint64_t>(world.size());
  result.push_back({"barrier by monitor", [b, ranks](std::int64_t n) {
                      for (std::int64_t i = 0; i < n; ++i) meet(b->copied, b->meeting, ranks);
                    }});
  result.push_back({"barrier", [&world, b](std::int64_t n) {
                      for (std::int64_t i = 0; i < n; ++i) barrier(world);
                    }});
  return result;
}

/// A rank that collects its million objects again and again, and finds all of them: three million
/// references lead to them in random order.
struct tangle {
  explicit tangle(const world& world) : space(world, with_protocol()), first(space) {
    std::vector<ref<knot>> all;
    for (std::size_t i = 0; i < knots; ++i) all.push_back(space.make<knot>());
    std::minstd_rand chance(7);
    const auto order = random_order(knots);
    for (std::size_t i = 0; i < knots; ++i) {
      space.write(all[order[i]]).next = {all[order[(i + 1) % knots]], all[chance() % knots],
                                         all[chance() % knots]};
    }
    first = all[0];
  }

  void collect() {
    const double began = processor_ns();
    space.collect();
    used_ns = processor_ns() - began;
  }
  static double processor_ns() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e9 + static_cast<double>(used.tv_nsec);
  }

  object_space space;
  rooted<knot> first;
  double used_ns = 0;
};

std::vector<subject> collections_of(world& world) {
  const auto t = std::make_shared<tangle>(world);
  const auto collect = [t](std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) t->collect();
  };
  // A round is one collection: it takes longer than a round must.
  return {{.name = "pause",
           .run = collect,
           .own_ns = [t] { return static_cast<double>(t->space.collections().pause_ns); }},
          {.name = "processor", .run = collect, .own_ns = [t] { return t->used_ns; }}};
}

report measure_objects() {
  report result;
  result.measured =
      "object: objects of 64 bytes of another process, with copies (or, in one memory, without): a "
      "chase over\n1,000 of them; an object of 8 bytes made; a monitor at home, entered and left; "
      "a release of one\nobject of 8 bytes that this process alone has changed, again and again; a "
      "fetch; a collection of a rank\nwith a million objects, to which three million references "
      "lead: how long its threads stand still, and\nthe processor time of the whole. Limits: a "
      "chase of pointers over this process' memory; mcs_lock;\nthe release where objects do not "
      "migrate; far::rpc that returns as many bytes; far::barrier.";
  const round_times times = rounds_on_processes(2, "object", subjects_of, {.rounds = 41});
  const auto ns = [&](const char* name) { return median(times.of(name)); };
  const auto add = [&](const char* name, const char* limit, goal wanted) {
    result.rows.push_back({.name = name, .ns = ns(name), .limit_ns = ns(limit), .wanted = wanted});
  };
  add("read", "read, pointer", {.max_ratio = 1.5});
  add("read, one memory", "read, pointer", {.max_ratio = 1.5});
  add("write", "write, pointer", {.max_ratio = 2});
  add("write, one memory", "write, pointer", {.max_ratio = 2});
  result.rows.push_back({.name = "make", .ns = ns("make"), .wanted = {.max_ns = 50}});
  add("monitor", "mcs_lock", {.max_ratio = 2});
  add("release", "release without migration", {.max_ratio = 0.1});
  add("fetch", "rpc", {.max_ratio = 2});
  result.rows.back().peers["by messages"] = ns("fetch by messages");
  result.rows.back().peers["one-sided"] = ns("fetch one-sided");
  add("barrier by monitor", "barrier", {.max_ratio = 10});
  const round_times collections = rounds_on_processes(1, "object", collections_of, {.rounds = 9});
  result.rows.push_back({.name = "pause of a collection",
                         .ns = median(collections.of("pause")),
                         .wanted = {.max_ns = max_pause_ns}});
  result.rows.push_back({.name = "the same, processor",
                         .ns = median(collections.of("processor")),
                         .wanted = {.max_ns = max_pause_ns}});
  return result;
}

const benchmark registered("object", "shared objects: hits, monitors and fetches", measure_objects);

}  // namespace
}  // namespace far::bench
