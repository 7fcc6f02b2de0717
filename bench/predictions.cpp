// Compares the simulator's predictions for this machine with measurements. A profile is fitted to a
// few operations of two processes (calibrate.hpp); the rows are operations that it was not fitted
// to.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "bench/harness/bulk_buffer.hpp"
#include "bench/harness/calibrate.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/random_places.hpp"
#include "bench/harness/registry.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr int place_bits = 14;
constexpr std::size_t max_bytes = 64 << 10;
constexpr std::size_t batch = 256;

/// The data of one rank's subjects.
struct test_bed {
  explicit test_bed(world& w)
      : view(w),
        other((w.rank() + 1) % w.size()),
        words(allocate<std::uint64_t>(view, random_places<place_bits>::words)),
        turns(allocate<std::uint64_t>(view, 1)),
        bytes(view, max_bytes),
        keys(batch),
        counts(view) {
    // Use keys of the other rank, so that each costs a message.
    std::uint64_t key = 0;
    for (std::uint64_t& k : keys) {
      while (counts.owner(key) == view.rank()) ++key;
      k = key++;
    }
    barrier(view);
  }

  world& view;
  int other;
  ptr<std::uint64_t> words;
  ptr<std::uint64_t> turns;
  bulk_buffer bytes;
  std::vector<std::uint64_t> keys;
  hash_map<std::uint64_t, std::uint64_t> counts;
  random_places<place_bits> place;
  std::uint64_t turn = 0;
};

constexpr auto sum_of = [](const std::array<std::uint64_t, 8>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
};

/// An operation that all ranks repeat at the same time.
struct prediction {
  const char* name;
  void (*run)(test_bed& bed, std::int64_t count);
};

/// Inlines the operation into the loop, because the simulator charges nothing for function calls.
template <auto once>
void repeated(test_bed& bed, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) once(bed);
}

const prediction predictions[] = {
    {"barrier", repeated<[](test_bed& bed) { barrier(bed.view); }>},
    {"allreduce of a word",
     repeated<[](test_bed& bed) { bed.turn += allreduce(bed.view, bed.turn, std::plus<>()) & 1; }>},
    {"exclusive scan of a word", repeated<[](test_bed& bed) {
       keep(exclusive_scan(bed.view, bed.turn, std::uint64_t{0}, std::plus<>()));
     }>},
    {"put 4 KB", repeated<[](test_bed& bed) {
       put(bed.view, bed.bytes.symmetric().on(bed.other),
           std::span<const std::byte>(bed.bytes.own()).first(4096));
     }>},
    {"get 4 KB", repeated<[](test_bed& bed) {
       get(bed.view, bed.bytes.symmetric().on(bed.other), bed.bytes.own().first(4096));
     }>},
    {"put 1 KB with a signal, and wait for the other's", repeated<[](test_bed& bed) {
       ++bed.turn;
       put_async(bed.view, bed.bytes.symmetric().on(bed.other),
                 std::span<const std::byte>(bed.bytes.own()).first(1024),
                 signal_of(bed.turns.on(bed.other), bed.turn))
           .get();
       wait_signal(bed.view, bed.turns.on(bed.view.rank()), at_least{bed.turn});
     }>},
    {"compare-and-swap at random words, until it wins", repeated<[](test_bed& bed) {
       const atomic_ref<std::uint64_t> there(bed.view, bed.words.on(bed.other) + bed.place());
       std::uint64_t seen = there.load();
       while (!there.compare_exchange(seen, seen + 1)) {
       }
     }>},
    {"hash_map::find, a key of the other rank",
     repeated<[](test_bed& bed) { keep(bed.counts.find(bed.keys[++bed.turn % batch])); }>},
    {"hash_map::insert_or_assign", repeated<[](test_bed& bed) {
       ++bed.turn;
       bed.counts.insert_or_assign(bed.keys[bed.turn % batch], bed.turn);
     }>},
    {"put 64 KB", repeated<[](test_bed& bed) {
       put(bed.view, bed.bytes.symmetric().on(bed.other),
           std::span<const std::byte>(bed.bytes.own()));
     }>},
    {"hash_map::find_many, 256 keys",
     repeated<[](test_bed& bed) { keep(bed.counts.find_many(bed.keys).size()); }>},
    {"hash_map::insert_or_assign_many, 256 keys", repeated<[](test_bed& bed) {
       keep(bed.counts.insert_or_assign_many(bed.keys, bed.keys).size());
     }>},
    {"call with 64 bytes", repeated<[](test_bed& bed) {
       const std::array<std::uint64_t, 8> list{bed.turn};
       bed.turn += rpc(bed.view, bed.other, sum_of, list).get();
     }>},
    {"4 calls with 64 bytes at a time", repeated<[](test_bed& bed) {
       const std::array<std::uint64_t, 8> list{bed.turn};
       std::array<future<std::uint64_t>, 4> answers;
       for (future<std::uint64_t>& answer : answers) {
         answer = rpc(bed.view, bed.other, sum_of, list);
       }
       for (future<std::uint64_t>& answer : answers) bed.turn += answer.get();
     }>},
};

std::vector<subject> prediction_subjects(world& world) {
  const auto bed = std::make_shared<test_bed>(world);
  std::vector<subject> result;
  for (const prediction& p : predictions) {
    result.push_back({p.name, [bed, &p](std::int64_t count) {
                        p.run(*bed, count);
                        barrier(bed->view);  // the other rank may still need this one's progress
                      }});
  }
  return result;
}

report measure_predictions() {
  // Measure all in turn, because the machine's speed drifts.
  const auto all_subjects = [](world& world) {
    std::vector<subject> all = prediction_subjects(world);
    std::ranges::move(fit_subjects(world), std::back_inserter(all));
    return all;
  };
  const auto measured = measure_steadily("predictions", all_subjects);
  const auto fitted_on = measured.begin() + std::ssize(predictions);
  const calibration fitted = fit_profile("this-machine", {fitted_on, measured.end()});
  temporary_file profile;
  profile.write(fitted.profile);
  const auto predicted = simulate_subjects(2, profile.path(), prediction_subjects);

  report result;
  result.measured =
      "predictions: two processes of this machine, and the same program in a simulation of it "
      "whose\n"
      "figures were fitted on other operations (far sim calibrate), all ranks at the same time.";
  double worst = 0;
  for (std::size_t i = 0; i < std::size(predictions); ++i) {
    const double error = predicted[i] / measured[i] - 1;
    worst = std::max(worst, std::abs(error));
    row line{predictions[i].name, measured[i], {}, {}, {}, fmt::format("{:+.0f} %", 100 * error)};
    line.peers["simulated"] = predicted[i];
    result.rows.push_back(std::move(line));
  }
  result.remarks.push_back(fmt::format("The furthest off is by {:.0f} %.", 100 * worst));
  for (const fitted_cost& cost : fitted.costs) {
    result.remarks.push_back(fmt::format("Fitted on: {}: {}, simulated {}.", cost.name,
                                         human_time(cost.measured_ns),
                                         human_time(cost.simulated_ns)));
  }
  return result;
}

const benchmark registered("predictions",
                           "the simulator's predictions for this machine, and real times",
                           measure_predictions);

}  // namespace
}  // namespace far::bench
