// Pushes and pops of a queue by two processes at once, compared with a baseline ring on memory that
// both map, and with MPI (rows A3 to A5).

#include <array>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "bench/baselines/mpi_peers.hpp"
#include "bench/baselines/ring_baseline.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "bench/predicted.hpp"
#include "far/containers/queue/queue_costs.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int rounds = 5;
constexpr std::uint64_t slots = 1 << 19;  // more than both ranks push or pop in a round
constexpr std::size_t span_values = 16;

namespace costs = containers::queue_costs;
using queue_type = queue<std::uint64_t>;
using checked_type = checksum_queue<std::uint64_t>;

/// One rank's queues, all with home rank 0, and its views of them.
class queues {
 public:
  queues(world& world, baseline::ring& ring)
      : world_(world),
        queue_(world, 0, slots),
        one_sided(queue_.with(policy::one_sided)),
        calling(queue_.with(policy::rpc)),
        checked(world, 0, slots),
        hand(ring) {}

  /// Collective: makes all queues empty or full.
  void reset(bool full) {
    end_phase();
    barrier(world_);
    if (world_.rank() == 0) {
      auto mine = queue_.local();
      refill([&](auto values) { return mine.try_pop(values); },
             [&](auto values) { return mine.try_push(values); }, full);
      refill([&](auto values) { return checked.try_pop(values); },
             [&](auto values) { return checked.try_push(values); }, full);
      hand.reset(full ? slots : 0);
    }
    barrier(world_);
  }
  /// Collective: begin a phase, of writing to an empty queue or of reading a full one. The next
  /// reset ends it.
  void begin_writing() {
    reset(false);
    writing.reset(new queue_type::writing_view(queue_.writing()));
  }
  void begin_reading() {
    reset(true);
    reading.reset(new queue_type::reading_view(queue_.reading()));
  }
  void meet() { barrier(world_); }

 private:
  void end_phase() {
    writing.reset();
    reading.reset();
  }
  template <class Pop, class Push>
  void refill(Pop pop, Push push, bool full) {
    while (pop(std::span<std::uint64_t>(part_)) > 0) continue;
    for (std::uint64_t done = 0; full && done < slots; done += part_.size()) {
      if (!push(std::span<const std::uint64_t>(part_))) throw bad_argument("a full queue has room");
    }
  }

  world& world_;
  queue_type queue_;
  std::array<std::uint64_t, 4096> part_{};

 public:
  queue_type::view_type one_sided;
  queue_type::view_type calling;
  checked_type checked;
  std::unique_ptr<queue_type::writing_view> writing;
  std::unique_ptr<queue_type::reading_view> reading;
  baseline::ring& hand;
  std::array<std::uint64_t, span_values> span{};
};

using queues_ref = std::shared_ptr<queues>;

/// A row's operation, by libfar or by the baseline.
struct way {
  const char* name;
  void (*prepare)(queues&);
  bool (*once)(queues&, std::uint64_t);  ///< returns whether there was space, or a value
  std::int64_t values = 1;               ///< how many values one operation moves
  bool calls = false;                    ///< needs the host's progress until all ranks are done
};

void empty(queues& q) { q.reset(false); }
void fill(queues& q) { q.reset(true); }
void write(queues& q) { q.begin_writing(); }
void read(queues& q) { q.begin_reading(); }

bool there(std::uint64_t value) {
  keep(value);
  return true;
}
bool there(const std::optional<std::uint64_t>& value) {
  keep(value);
  return value.has_value();
}

/// A row: libfar's way, the baseline, and the operation by MPI.
struct compared {
  way far;
  std::optional<way> baseline = {};
  const char* mpi = nullptr;  ///< operation of peers/mpi_containers.c
  std::optional<model::formula> formula = {};
};

const compared all[] = {
    {{"push, writing()", write, [](queues& q, std::uint64_t i) { return q.writing->try_push(i); }},
     way{"push by hand, phase", empty,
         [](queues& q, std::uint64_t i) {
           keep(q.hand.push_in_phase(i));
           return true;
         }},
     "queue_push_phase",
     costs::writing::push},
    {{"pop, reading()", read, [](queues& q, std::uint64_t) { return there(q.reading->try_pop()); }},
     way{"pop by hand, phase", fill,
         [](queues& q, std::uint64_t) { return there(q.hand.pop_in_phase()); }},
     "queue_pop_phase",
     costs::reading::pop},
    {{"push, one-sided", empty, [](queues& q, std::uint64_t i) { return q.one_sided.try_push(i); }},
     way{"push by hand", empty,
         [](queues& q, std::uint64_t i) {
           q.hand.push(i);
           return true;
         }},
     "queue_push",
     costs::concurrent::push},
    {{"pop, one-sided", fill,
      [](queues& q, std::uint64_t) { return there(q.one_sided.try_pop()); }},
     way{"pop by hand", fill, [](queues& q, std::uint64_t) { return there(q.hand.pop()); }},
     "queue_pop",
     costs::concurrent::pop},
    {{"push and pop, one-sided", empty,
      [](queues& q, std::uint64_t i) {
        q.one_sided.push(i);
        return there(q.one_sided.pop());
      }},
     way{"push and pop by hand", empty,
         [](queues& q, std::uint64_t i) {
           q.hand.push(i);
           return there(q.hand.pop());
         }},
     "queue_push_pop",
     costs::concurrent::push + costs::concurrent::pop},
    {{"push, checksum_queue", empty,
      [](queues& q, std::uint64_t i) { return q.checked.try_push(i); }},
     {},
     {},
     containers::checksum_costs::push},
    {{"pop, checksum_queue", fill,
      [](queues& q, std::uint64_t) { return there(q.checked.try_pop()); }},
     {},
     {},
     containers::checksum_costs::pop},
    {{"push by calls", empty, [](queues& q, std::uint64_t i) { return q.calling.try_push(i); }, 1,
      true},
     {},
     {},
     costs::call},
    {{"pop by calls", fill, [](queues& q, std::uint64_t) { return there(q.calling.try_pop()); }, 1,
      true},
     {},
     {},
     costs::call},
    {{"push 16, writing()", write,
      [](queues& q, std::uint64_t) { return q.writing->try_push(std::span(q.span)); },
      span_values}},
    {{"pop 16, reading()", read,
      [](queues& q, std::uint64_t) { return q.reading->try_pop(std::span(q.span)) > 0; },
      span_values}},
    {{"push 16, one-sided", empty,
      [](queues& q, std::uint64_t) { return q.one_sided.try_push(std::span(q.span)); },
      span_values}},
    {{"pop 16, one-sided", fill,
      [](queues& q, std::uint64_t) { return q.one_sided.try_pop(std::span(q.span)) > 0; },
      span_values}},
};

/// `count` counts values.
subject subject_of(const queues_ref& mine, const way& how) {
  return {how.name,
          [mine, &how](std::int64_t count) {
            bool all_moved = true;
            for (std::int64_t i = 0; i < count; i += how.values) {
              all_moved &= how.once(*mine, static_cast<std::uint64_t>(i));
            }
            if (!all_moved) throw bad_argument("a round is longer than the queue");
            if (how.calls) mine->meet();
          },
          [mine, &how] { how.prepare(*mine); }};
}

std::vector<subject> subjects(world& world, baseline::ring& ring) {
  const auto mine = std::make_shared<queues>(world, ring);
  std::vector<subject> result;
  for (const compared& c : all) {
    result.push_back(subject_of(mine, c.far));
    if (c.baseline) result.push_back(subject_of(mine, *c.baseline));
  }
  return result;
}

report measure_queues() {
  const shared_memory memory(baseline::ring::bytes(slots));
  auto& ring = *new (memory.data()) baseline::ring(slots);
  std::vector<std::string> operations;
  for (const compared& c : all) {
    if (c.mpi != nullptr) operations.emplace_back(c.mpi);
  }
  mpi_peers peers("queues");
  const two_process_costs components = measure_two_processes();
  std::vector<std::vector<double>> times;
  for (int round = 0; round < rounds; ++round) {
    const auto ns = measure_on_processes(
        2, fmt::format("queues, round {} of {}", round + 1, rounds),
        [&](world& world) { return subjects(world, ring); }, {.rounds = 11, .round_ms = 0.1});
    times.resize(ns.size());
    for (std::size_t i = 0; i < ns.size(); ++i) times[i].push_back(ns[i]);
    peers.run(2, operations);
  }

  report result;
  result.measured = fmt::format(
      "queues: two processes on one queue of 8-byte values at the first of them, both at the same "
      "time; the\ntime is per value. Limit: a baseline ring in memory that both map, with the same "
      "protocol. Predicted: by\nthe formulas with the components' costs on a rank's own "
      "memory. "
      "Medians of {} rounds, ours and theirs\nin turn.",
      rounds);
  std::size_t next = 0;
  for (const compared& c : all) {
    row line{c.far.name, median(times[next++]), {}, {}, {}, ""};
    if (c.baseline) line.limit_ns = median(times[next++]);
    if (c.formula) line.predicted_ns = model::price(*c.formula, components.own);
    if (c.mpi != nullptr) {
      line.peers = peers.of(2, c.mpi);
      line.wanted.max_peer_ratio = 1.0 / 3;
    }
    result.rows.push_back(std::move(line));
  }
  result.remarks = peers.remarks();
  return result;
}

const benchmark registered("queues", "a queue between two processes, against a baseline and MPI",
                           measure_queues);

}  // namespace
}  // namespace far::bench
