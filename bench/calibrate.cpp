// Fits a profile's figures, one by one, until the simulator takes as long as this machine.

#include "bench/calibrate.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/program.hpp"
#include "bench/random_places.hpp"

namespace far::bench {
namespace {

using json = nlohmann::ordered_json;

constexpr int place_bits = 14;  // 128 KB: what a core's own caches hold
constexpr std::size_t bulk_bytes = 16 << 10;
constexpr int under_way = 16;

/// What calls add to, on the rank that runs them.
struct call_count {
  explicit call_count(rank_state&) {}
  std::uint64_t served = 0;
};

/// What the subjects of one rank use.
struct fit_bed {
  explicit fit_bed(world& w)
      : view(w),
        words(allocate<std::uint64_t>(view, random_places<place_bits>::words)),
        bytes(allocate<std::byte>(view, bulk_bytes)),
        turns(allocate<std::uint64_t>(view, 1)),
        buffer(bulk_bytes) {
    barrier(view);
  }

  world& view;
  ptr<std::uint64_t> words;
  ptr<std::byte> bytes;
  ptr<std::uint64_t> turns;
  std::vector<std::byte> buffer;
  random_places<place_bits> place;
  std::uint64_t turn = 0;
  std::uint64_t due = 0;

  /// Runs calls until so many more have been served here.
  void serve(std::int64_t count) {
    due += static_cast<std::uint64_t>(count);
    const auto& calls = view.state().get<call_count>();
    view.context().wait([&] { return calls.served >= due; }, fabric::never, {"calls", 0, {}});
  }
};

void count_call(rank_state& there) { ++there.get<call_count>().served; }

/// Figures of the profile that are alike, and the subject that tells them.
struct fit {
  std::vector<const char*> figures;  ///< JSON pointers
  const char* name;
  double times;  ///< how often an operation of the subject pays one of them
  void (*run)(fit_bed& bed, std::int64_t count);
};

template <class Once>
void repeat(std::int64_t count, Once once) {
  for (std::int64_t i = 0; i < count; ++i) once();
}

const fit fits[] = {
    {{"/inside/put"},
     "put 8 bytes",
     1,
     [](fit_bed& bed, std::int64_t count) {
       if (bed.view.rank() != 0) return;
       const auto there = bed.words.on(1);
       repeat(count, [&] { put(bed.view, there + bed.place(), bed.turn); });
     }},
    {{"/inside/get"},
     "get 8 bytes",
     1,
     [](fit_bed& bed, std::int64_t count) {
       if (bed.view.rank() != 0) return;
       const auto there = bed.words.on(1);
       std::uint64_t sum = 0;
       repeat(count, [&] { sum += get(bed.view, there + bed.place()); });
       keep(sum);
     }},
    {{"/inside/amo"},
     "fetch-and-add",
     1,
     [](fit_bed& bed, std::int64_t count) {
       if (bed.view.rank() != 0) return;
       const auto there = bed.words.on(1);
       std::uint64_t sum = 0;
       repeat(count, [&] {
         sum += atomic_ref<std::uint64_t>(bed.view, there + bed.place()).fetch_add(1);
       });
       keep(sum);
     }},
    {{"/links/node/kilobyte", "/links/self/kilobyte"},
     "put 16 KB",
     bulk_bytes / 1024.0,
     [](fit_bed& bed, std::int64_t count) {
       if (bed.view.rank() != 0) return;
       const auto there = bed.bytes.on(1);
       repeat(count, [&] { put(bed.view, there, std::span<const std::byte>(bed.buffer)); });
     }},
    // A handler and a message, which are not told apart.
    {{"/inside/send", "/handler"},
     "call, 16 under way",
     2,
     [](fit_bed& bed, std::int64_t count) {
       if (bed.view.rank() != 0) return bed.serve(count);
       std::array<future<void>, under_way> answers;
       while (count > 0) {
         const auto some = static_cast<std::size_t>(std::min(count, std::int64_t{under_way}));
         for (std::size_t i = 0; i < some; ++i) answers[i] = rpc<count_call>(bed.view, 1);
         for (std::size_t i = 0; i < some; ++i) answers[i].get();
         count -= under_way;
       }
     }},
    {{"/completion"},
     "call and its answer",
     2,
     [](fit_bed& bed, std::int64_t count) {
       if (bed.view.rank() != 0) return bed.serve(count);
       repeat(count, [&] { rpc<count_call>(bed.view, 1).get(); });
     }},
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
    {{"/poll"},
     "a look for progress",
     1,
     [](fit_bed& bed, std::int64_t count) {
       if (bed.view.rank() == 0) repeat(count, [&] { bed.view.progress(); });
     }},
};

std::vector<double> simulate(const json& profile) {
  temporary_file file;
  file.write(profile.dump());
  return simulate_subjects(2, file.path(), fit_subjects);
}

/// One node for all ranks, whose operations cost nothing yet.
json blank(const std::string& name) {
  return {{"name", name},
          {"about", "ranks that are processes of one machine"},
          {"ranks_per_node", fabric::address::max_ranks},  // there is no network
          {"inside", {{"put", 0}, {"get", 0}, {"amo", 0}, {"send", 0}}},
          {"links", {{"self", {{"kilobyte", 0}}}, {"node", {{"kilobyte", 0}}}}},
          {"completion", 0},
          {"line_transfer", 0},
          {"handler", 0},
          {"poll", 0}};
}

}  // namespace

std::vector<subject> fit_subjects(world& view) {
  const auto bed = std::make_shared<fit_bed>(view);
  std::vector<subject> result;
  for (const fit& f : fits) {
    result.push_back({f.name, [bed, &f](std::int64_t count) { f.run(*bed, count); }});
  }
  return result;
}

std::vector<double> simulate_subjects(int ranks, const std::string& profile,
                                      const subjects_of_rank& prepare) {
  constexpr std::int64_t count = 3200;
  std::vector<double> result;
  run({.ranks = ranks, .mode = job_mode::fibers, .profile = profile}, [&](world& view) {
    for (const subject& s : prepare(view)) {
      s.run(count / 4);
      barrier(view);
      const std::uint64_t begin = view.now();
      s.run(count);
      const auto took = static_cast<double>(view.now() - begin);
      barrier(view);
      if (view.rank() == 0) result.push_back(took / count);
    }
  });
  return result;
}

calibration fit_profile(const std::string& name, const std::vector<double>& measured_ns) {
  constexpr int rounds = 6;  // some figures are in each other's subjects
  json profile = blank(name);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < std::size(fits); ++i) {
      const double off = measured_ns[i] - simulate(profile)[i];
      for (const char* place : fits[i].figures) {
        json& figure = profile[json::json_pointer(place)];
        figure = std::max(0.0, figure.get<double>() + off / fits[i].times);
      }
    }
  }
  const std::vector<double> simulated = simulate(profile);
  calibration result{profile.dump(2) + "\n", {}};
  for (std::size_t i = 0; i < std::size(fits); ++i) {
    result.costs.push_back({fits[i].name, measured_ns[i], simulated[i]});
  }
  return result;
}

calibration calibrate(const std::string& name) {
  return fit_profile(name, measure_on_processes(2, "calibrate", fit_subjects));
}

}  // namespace far::bench
