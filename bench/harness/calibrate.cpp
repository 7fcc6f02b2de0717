// Fits a profile's figures, one by one, until simulated times equal this machine's times.

#include "bench/harness/calibrate.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/harness/bulk_buffer.hpp"
#include "bench/harness/program.hpp"
#include "bench/harness/random_places.hpp"

namespace far::bench {
namespace {

using json = nlohmann::ordered_json;

constexpr int place_bits = 14;  // 128 KB, which fits a core's private caches
constexpr std::size_t max_bytes = 128 << 10;
constexpr std::size_t batch = 512;
constexpr int words_in_line = 8;

/// The function that calls run.
constexpr auto nothing = [] {};

/// The data of one rank's subjects.
struct fit_bed {
  explicit fit_bed(world& w)
      : view(w),
        words(allocate<std::uint64_t>(view, random_places<place_bits>::words)),
        turns(allocate<std::uint64_t>(view, 1)),
        bytes(view, max_bytes),
        table(view) {
    while (keys.size() < batch) {
      if (table.owner(next_key) != view.rank()) keys.push_back(next_key);
      ++next_key;
    }
    barrier(view);
  }

  world& view;
  ptr<std::uint64_t> words;
  ptr<std::uint64_t> turns;
  bulk_buffer bytes;
  random_places<place_bits> place;
  std::uint64_t turn = 0;
  hash_map<std::uint64_t, std::uint64_t> table;
  std::uint64_t next_key = 0;
  std::vector<std::uint64_t> keys;  ///< owned by the other rank

  /// A random line of the other rank.
  [[nodiscard]] ptr<std::uint64_t> line_of_other() {
    return words.on(1 - view.rank()) + place() / words_in_line * words_in_line;
  }
  // Not inlined: most programs copy sizes that the compiler does not know, by another copy routine.
  [[gnu::noinline]] void put(std::int64_t count, std::size_t size) {
    const auto there = bytes.symmetric().on(1 - view.rank());
    const auto from = std::span<const std::byte>(bytes.own()).first(size);
    for (std::int64_t i = 0; i < count; ++i) far::put(view, there, from);
  }
  /// Both ranks put `size` bytes with a signal to each other, and read what they received.
  void exchange(std::int64_t count, std::size_t size) {
    const int self = view.rank();
    const auto there = bytes.symmetric().on(1 - self);
    const auto from = std::span<const std::byte>(bytes.own()).first(size);
    const volatile std::byte* const got = local(view, bytes.symmetric().on(self));
    for (std::int64_t i = 0; i < count; ++i) {
      ++turn;
      put_async(view, there, from, signal_of(turns.on(1 - self), turn)).get();
      wait_signal(view, turns.on(self), at_least{turn});
      static_cast<void>(*got);  // fetches its line
    }
  }
  /// Calls the other rank, `in_flight` calls at a time; the other rank does the same.
  void call(std::int64_t count, std::size_t in_flight) {
    std::vector<future<void>> answers(in_flight);
    while (count > 0) {
      const auto some = std::min(in_flight, static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < some; ++i) answers[i] = rpc(view, 1 - view.rank(), nothing);
      for (std::size_t i = 0; i < some; ++i) answers[i].get();
      count -= static_cast<std::int64_t>(some);
    }
    barrier(view);  // the other rank may still need this one's progress
  }
};

/// Figures of the profile with the same value, and the subject that determines them.
struct fit {
  std::vector<const char*> figures;  ///< JSON pointers
  const char* name;
  double times;  ///< how often an operation of the subject is charged one of them
  void (*run)(fit_bed& bed, std::int64_t count);
};

template <class Once>
void repeat(std::int64_t count, Once once) {
  for (std::int64_t i = 0; i < count; ++i) once();
}

const fit fits[] = {
    // All words of a line each time: this measures the loop of a program, not the library.
    {{"/inside/put"},
     "put 8 bytes",
     words_in_line,
     [](fit_bed& bed, std::int64_t count) {
       repeat(count, [&] {
         const ptr<std::uint64_t> there = bed.line_of_other();
         for (int i = 0; i < words_in_line; ++i) put(bed.view, there + i, bed.turn);
       });
     }},
    {{"/inside/get"},
     "get 8 bytes",
     words_in_line,
     [](fit_bed& bed, std::int64_t count) {
       std::uint64_t sum = 0;
       repeat(count, [&] {
         const ptr<std::uint64_t> there = bed.line_of_other();
         for (int i = 0; i < words_in_line; ++i) sum += get(bed.view, there + i);
       });
       keep(sum);
     }},
    {{"/inside/amo"},
     "fetch-and-add",
     1,
     [](fit_bed& bed, std::int64_t count) {
       const auto there = bed.words.on(1 - bed.view.rank());
       std::uint64_t sum = 0;
       repeat(count, [&] {
         sum += atomic_ref<std::uint64_t>(bed.view, there + bed.place()).fetch_add(1);
       });
       keep(sum);
     }},
    // More than 2 KB: there memcpy uses another method.
    {{"/copy"},
     "put 3 KB, put 6 KB",
     2,
     [](fit_bed& bed, std::int64_t count) {
       repeat(count, [&] {
         bed.put(1, 3 << 10);
         bed.put(1, 6 << 10);
       });
     }},
    {{"/links/node/kilobyte", "/links/self/kilobyte"},
     "put 16 KB",
     16,
     [](fit_bed& bed, std::int64_t count) { bed.put(count, 16 << 10); }},
    {{"/spilled_kilobyte"},
     "put 128 KB",
     128 - 16,
     [](fit_bed& bed, std::int64_t count) { bed.put(count, max_bytes); }},
    // A message, its handler, the reply and the reply's handling, which are not distinguished.
    {{"/inside/send", "/handler", "/answer"},
     "call, 4 in flight",
     4,
     [](fit_bed& bed, std::int64_t count) { bed.call(count, 4); }},
    {{"/completion"},
     "call and its answer",
     2,
     [](fit_bed& bed, std::int64_t count) { bed.call(count, 1); }},
    {{"/line_transfer"},
     "signal and its answer",
     2,
     [](fit_bed& bed, std::int64_t count) {
       const int other = 1 - bed.view.rank();
       repeat(count, [&] {
         ++bed.turn;
         if (other == 1) notify(bed.view, signal_of(bed.turns.on(1), bed.turn));
         wait_signal(bed.view, bed.turns.on(1 - other), at_least{bed.turn});
         if (other == 0) notify(bed.view, signal_of(bed.turns.on(0), bed.turn));
       });
     }},
    {{"/payload"},
     "64 bytes with a signal, both ways at once",
     1,
     [](fit_bed& bed, std::int64_t count) { bed.exchange(count, 64); }},
    // Both ends of all keys, if the keys are sent by calls; the rounds of the fit find that out.
    {{"/batch_key"},
     "hash_map::insert_or_assign_many and find_many, 512 keys each",
     2 * batch,
     [](fit_bed& bed, std::int64_t count) {
       repeat(count, [&] {
         keep(bed.table.insert_or_assign_many(bed.keys, bed.keys).size());
         keep(bed.table.find_many(bed.keys).size());
       });
       barrier(bed.view);  // the other rank may still need this one's progress
     }},
    {{"/first_key"},
     "hash_map::contains",
     1,
     [](fit_bed& bed, std::int64_t count) {
       repeat(count, [&] { keep(bed.table.contains(bed.keys[++bed.turn % batch])); });
       barrier(bed.view);
     }},
    {{"/poll"},
     "a look for progress",
     1,
     [](fit_bed& bed, std::int64_t count) { repeat(count, [&] { bed.view.progress(); }); }},
};

std::vector<subject> subjects_of(world& world, std::span<const fit> some) {
  const auto bed = std::make_shared<fit_bed>(world);
  std::vector<subject> result;
  for (const fit& f : some) {
    result.push_back({f.name, [bed, &f](std::int64_t count) { f.run(*bed, count); }});
  }
  return result;
}

/// Simulated times of these subjects with the profile.
std::vector<double> simulate(const json& profile, std::span<const fit> some) {
  temporary_file file;
  file.write(profile.dump());
  return simulate_subjects(2, file.path(),
                           [some](world& world) { return subjects_of(world, some); });
}

/// A profile with one node for all ranks, whose operations cost nothing yet.
json blank(const std::string& name) {
  return {{"name", name},
          {"about", "ranks that are processes of one machine"},
          {"ranks_per_node", fabric::address::max_ranks},  // there is no network
          {"inside", {{"put", 0}, {"get", 0}, {"amo", 0}, {"send", 0}}},
          {"links", {{"self", {{"kilobyte", 0}}}, {"node", {{"kilobyte", 0}}}}},
          {"completion", 0},
          {"line_transfer", 0},
          {"payload", 0},
          {"copy", 0},
          {"spilled_kilobyte", 0},
          {"batch_key", 0},
          {"first_key", 0},
          {"handler", 0},
          {"answer", 0},
          {"poll", 0.001}};  // a machine without any costs is refused
}

}  // namespace

std::vector<subject> fit_subjects(world& world) { return subjects_of(world, fits); }

std::vector<double> measure_steadily(const std::string& label, const subjects_of_rank& prepare) {
  constexpr effort steady{.rounds = 41, .warm_up = 2, .averages = true};
  std::array<std::vector<double>, 3> jobs;
  for (std::vector<double>& one : jobs) one = measure_on_processes(2, label, prepare, steady);
  std::vector<double> result(jobs[0].size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = median({jobs[0][i], jobs[1][i], jobs[2][i]});
  }
  return result;
}

std::vector<double> simulate_subjects(int ranks, const std::string& profile,
                                      const subjects_of_rank& prepare) {
  constexpr std::int64_t count = 3200;
  std::vector<double> result;
  run({.ranks = ranks, .mode = job_mode::fibers, .profile = profile}, [&](world& world) {
    for (const subject& s : prepare(world)) {
      s.run(count / 4);
      barrier(world);
      const std::uint64_t begin = world.now();
      s.run(count);
      const auto took = static_cast<double>(world.now() - begin);
      barrier(world);
      if (world.rank() == 0) result.push_back(took / count);
    }
  });
  return result;
}

calibration fit_profile(const std::string& name, const std::vector<double>& measured_ns) {
  constexpr int rounds = 6;  // some figures contribute to each other's subjects
  json profile = blank(name);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < std::size(fits); ++i) {
      const double off = measured_ns[i] - simulate(profile, {&fits[i], 1}).front();
      for (const char* place : fits[i].figures) {
        json& figure = profile[json::json_pointer(place)];
        figure = std::max(0.0, figure.get<double>() + off / fits[i].times);
      }
    }
  }
  const std::vector<double> simulated = simulate(profile, fits);
  calibration result{profile.dump(2) + "\n", {}};
  for (std::size_t i = 0; i < std::size(fits); ++i) {
    result.costs.push_back({fits[i].name, measured_ns[i], simulated[i]});
  }
  return result;
}

calibration calibrate(const std::string& name) {
  return fit_profile(name, measure_steadily("calibrate", fit_subjects));
}

}  // namespace far::bench
