// Figures 3 to 6 of rdma-vs-rpc on a simulated machine, and whether its claims hold there (rows A1
// to A5, A8, A9). The profile is fitted only to the paper's Table I, so everything else is a
// prediction.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "bench/harness/registry.hpp"
#include "bench/papers/component_loops.hpp"
#include "bench/papers/paper_a_claims.hpp"
#include "bench/papers/simulated.hpp"
#include "far/base/error.hpp"
#include "far/base/random.hpp"
#include "far/containers/map/map_costs.hpp"
#include "far/containers/queue/queue_costs.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

const std::vector<int> usual_ranks{32, 64, 128, 256, 512, 1024, 2048, 4096};
constexpr const char* usual_profile = "cori-aries";
constexpr int max_attentive_ranks = 2048;  // 64 nodes of Cori, as in Table I
constexpr std::uint64_t computed_ns[] = {0,     500,   1000,  2000,   4000,   8000,
                                         16000, 32000, 64000, 128000, 256000, 512000};

using values = queues<std::uint64_t>;
using checked_user = containers::checksum_user_of<sizeof(std::uint64_t)>;

/// The number of operations of a rank in a measurement: fewer with more ranks.
int operations_of(const world& world) { return std::clamp((1 << 18) / world.size(), 64, 512); }

/// Nanoseconds of one of `count` operations, the mean over ranks. Ranks begin together, with a
/// quarter as many uncounted operations. Between operations they compute for 0.5 to 1.5 times
/// `compute_ns`, which is not in the result; ranks that compute equally long would soon do so at
/// the same time.
double time_of(world& world, int count, std::uint64_t compute_ns,
               const std::function<void()>& once) {
  base::random random(base::mix(static_cast<std::uint64_t>(world.rank()) + 99));
  barrier(world);
  std::uint64_t spent = 0;
  for (int i = -count / 4; i < count; ++i) {
    if (compute_ns > 0) world.compute(compute_ns / 2 + random.below(compute_ns));
    const std::uint64_t begin = world.now();
    once();
    if (i >= 0) spent += world.now() - begin;
  }
  const double own = static_cast<double>(spent) / count;
  return allreduce(world, own, std::plus<>()) / world.size();
}

/// A queue on each rank, and pushes to random ones.
class pushes {
 public:
  pushes(world& world, int count)
      : world_(world),
        count_(count),
        room_(static_cast<std::uint64_t>(4 * count + 64)),
        random_(base::mix(static_cast<std::uint64_t>(world.rank()) + 7)) {}

  double by_calls(std::uint64_t compute_ns = 0, bool service_thread = false) {
    const values all(world_, room_);
    auto views = all.with(policy::rpc);
    std::optional<service> thread;
    if (service_thread) thread.emplace(world_);
    return time(compute_ns, views);
  }
  double in_phase(std::uint64_t compute_ns = 0) {
    const values all(world_, room_);
    auto phase = all.writing();
    return time(compute_ns, phase);
  }
  double concurrent(std::uint64_t compute_ns = 0) {
    const values all(world_, room_);
    auto views = all.with(policy::one_sided);
    return time(compute_ns, views);
  }
  double checked() {
    const std::uint64_t slot = containers::checked_slot_bytes(sizeof(std::uint64_t));
    const containers::ring_set rings(
        world_,
        reinterpret_pointer_cast<std::byte>(allocate<std::uint64_t>(world_, room_ * slot / 8)),
        room_, slot, amo_domain::cpu, "checked queues");
    queues_view<std::uint64_t, checked_user> views(world_, rings);
    return time(0, views);
  }

 private:
  template <class Views>
  double time(std::uint64_t compute_ns, Views& views) {
    return time_of(world_, count_, compute_ns, [&] {
      const auto host = static_cast<int>(random_.below(static_cast<std::uint64_t>(world_.size())));
      if (!views.at(host).try_push(random_())) throw bad_argument("paper-a: a queue is full");
    });
  }

  world& world_;
  int count_;
  std::uint64_t room_;
  base::random random_;
};

/// A hash table of all ranks; each rank uses its own keys, whose homes are arbitrary.
class table {
 public:
  table(world& world, int count)
      : world_(world), count_(count), map_(world, capacity(), policy::one_sided) {}

  double insert(policy how) {
    map_.clear();
    const auto here = map_.with(how);
    return time([&] { (void)here.insert(next_key(), 1); });
  }
  double insert_in_phase() {
    map_.clear();
    const auto phase = map_.writing();
    return time([&] { (void)phase.insert(next_key(), 1); });
  }
  // Finds keys that exist.
  double find(policy how) {
    const auto here = map_.with(how);
    return time([&] { sum_ += here.find(next_key()).value_or(0); });
  }
  double find_in_phase() {
    const auto phase = map_.reading();
    return time([&] { sum_ += phase.find(next_key()).value_or(0); });
  }

 private:
  [[nodiscard]] std::uint64_t capacity() const {
    return 2 * static_cast<std::uint64_t>(count_) * static_cast<std::uint64_t>(world_.size());
  }
  std::uint64_t next_key() {
    return next_++ * static_cast<std::uint64_t>(world_.size()) +
           static_cast<std::uint64_t>(world_.rank());
  }
  double time(const std::function<void()>& once) {
    next_ = 0;
    return time_of(world_, count_, 0, once);
  }

  world& world_;
  int count_;
  hash_map<std::uint64_t, std::uint64_t> map_;
  std::uint64_t next_ = 0;
  std::uint64_t sum_ = 0;
};

namespace queue_costs = containers::queue_costs;
namespace map_costs = containers::map_costs;

/// An operation that is measured at each number of ranks.
struct measured {
  const char* name;
  std::function<double(world&, int)> run;      ///< collective; the number of operations per rank
  std::optional<model::formula> formula = {};  ///< its cost in components
};

template <void (component_loops::*Once)()>
double component(world& world, int count) {
  component_loops loops(world);
  return time_of(world, count, 0, [&] { (loops.*Once)(); });
}

const std::vector<measured>& components() {
  static const std::vector<measured> all{
      {"put", component<&component_loops::put>},
      {"get", component<&component_loops::get>},
      {"fetch-and-add", component<&component_loops::fetch_add>},
      {"fetch-and-add, one word", component<&component_loops::fetch_add_one_word>},
      {"compare-and-swap", component<&component_loops::compare_swap>},
      {"compare-and-swap until it wins", component<&component_loops::persistent_compare_swap>},
      {"message", component<&component_loops::message>}};
  return all;
}

const std::vector<measured>& queue_operations() {
  static const std::vector<measured> all{
      {"AM push", [](world& w, int n) { return pushes(w, n).by_calls(); }, queue_costs::call},
      {"push CW", [](world& w, int n) { return pushes(w, n).in_phase(); },
       queue_costs::writing::push},
      {"push CRW", [](world& w, int n) { return pushes(w, n).concurrent(); },
       queue_costs::concurrent::push},
      {"checksum push CRW", [](world& w, int n) { return pushes(w, n).checked(); },
       containers::checksum_costs::push}};
  return all;
}

std::function<double(world&, int)> on_table(double (*run)(table&)) {
  return [run](world& world, int count) {
    table mine(world, count);
    return run(mine);
  };
}

const std::vector<measured>& table_operations() {
  static const std::vector<measured> all{
      {"find CR", on_table([](table& t) {
         (void)t.insert_in_phase();
         return t.find_in_phase();
       }),
       map_costs::reading::find},
      {"find CRW", on_table([](table& t) {
         (void)t.insert_in_phase();
         return t.find(policy::one_sided);
       }),
       map_costs::concurrent::find},
      {"insert CW", on_table([](table& t) { return t.insert_in_phase(); }),
       map_costs::writing::insert},
      {"insert CRW", on_table([](table& t) { return t.insert(policy::one_sided); }),
       map_costs::concurrent::insert},
      {"AM find", on_table([](table& t) {
         (void)t.insert_in_phase();
         return t.find(policy::rpc);
       }),
       map_costs::call},
      {"AM insert", on_table([](table& t) { return t.insert(policy::rpc); }), map_costs::call}};
  return all;
}

/// The components' costs at a number of ranks, for formulas. As in the paper, A_hot is a
/// fetch-and-add on one word per rank, and A_cas* a compare-and-swap retried until it succeeds.
model::component_costs costs_at(const figure& components, std::size_t place) {
  using model::component;
  model::component_costs costs;
  const auto set = [&](component what, const char* name) {
    costs.of(what) = components.named(name).ns[place];
  };
  set(component::put, "put");
  set(component::get, "get");
  set(component::fetch_add, "fetch-and-add");
  set(component::hot_fetch_add, "fetch-and-add, one word");
  set(component::compare_swap, "compare-and-swap");
  set(component::turn, "compare-and-swap until it wins");
  set(component::message, "message");
  return costs;
}

/// Runs jobs of the simulated machine and shows progress.
class jobs {
 public:
  jobs(std::string profile, std::size_t steps)
      : profile_(std::move(profile)), steps_(steps), bar_("paper-a") {}

  /// Runs collective code on `ranks` ranks; returns rank 0's result.
  double run_on(int ranks, const char* what, const std::function<double(world&)>& body) {
    bar_.update(step_++, steps_, fmt::format("{} ranks: {}", ranks, what));
    double result = 0;
    run({.ranks = ranks, .mode = job_mode::fibers, .profile = profile_}, [&](world& world) {
      const double ns = body(world);
      if (world.rank() == 0) result = ns;
    });
    return result;
  }

 private:
  std::string profile_;
  std::size_t steps_;
  std::size_t step_ = 0;
  apps::progress_bar bar_;
};

figure measure_figure(jobs& on, const std::vector<int>& ranks, figure empty,
                      const std::vector<measured>& all) {
  for (const int n : ranks) empty.places.push_back(std::to_string(n));
  for (const measured& m : all) {
    curve line{m.name, {}};
    for (const int n : ranks) {
      line.ns.push_back(
          on.run_on(n, m.name, [&](world& world) { return m.run(world, operations_of(world)); }));
    }
    empty.curves.push_back(std::move(line));
  }
  return empty;
}

/// Adds the formulas' predictions, from the components at the same number of ranks.
void predict(figure& what, const std::vector<measured>& all, const figure& components) {
  for (const measured& m : all) {
    if (!m.formula) continue;
    curve line{fmt::format("{}, predicted", m.name), {}, true};
    for (std::size_t i = 0; i < what.places.size(); ++i) {
      line.ns.push_back(model::price(*m.formula, costs_at(components, i)));
    }
    // After the measured curve, whose colour it gets.
    const auto at = std::ranges::find(what.curves, m.name, &curve::name);
    what.curves.insert(std::next(at), std::move(line));
  }
}

figure measure_attention(jobs& on, int ranks) {
  figure result{"paper-a-figure-6",
                fmt::format("Figure 6: pushes of {} ranks that compute between them", ranks),
                "us of computation"};
  struct way {
    const char* name;
    double (*run)(pushes&, std::uint64_t);
  };
  constexpr way ways[] = {
      {"AM push", [](pushes& p, std::uint64_t ns) { return p.by_calls(ns); }},
      {"AM push, progress thread",
       [](pushes& p, std::uint64_t ns) { return p.by_calls(ns, true); }},
      {"push CRW", [](pushes& p, std::uint64_t ns) { return p.concurrent(ns); }},
      {"push CW", [](pushes& p, std::uint64_t ns) { return p.in_phase(ns); }}};
  for (const std::uint64_t ns : computed_ns) {
    result.places.push_back(fmt::format("{}", static_cast<double>(ns) / 1000));
  }
  for (const way& w : ways) {
    curve line{w.name, {}};
    for (const std::uint64_t ns : computed_ns) {
      line.ns.push_back(on.run_on(ranks, w.name, [&](world& world) {
        pushes mine(world, 64);
        return w.run(mine, ns);
      }));
    }
    result.curves.push_back(std::move(line));
  }
  return result;
}

report measure_paper_a(const settings& asked) {
  check_simulated("paper-a", asked,
                  "far bench components, queues, containers and attentiveness measure the same");
  const std::string profile = asked.profile.empty() ? usual_profile : asked.profile;
  const std::vector<int> ranks = asked.ranks.empty() ? usual_ranks : ascending(asked.ranks);

  const std::size_t curves =
      components().size() + queue_operations().size() + table_operations().size();
  jobs on(profile, curves * ranks.size() + 4 * std::size(computed_ns));
  report result;
  result.measured = fmt::format(
      "paper-a: figures 3 to 6 of \"RDMA vs. RPC for implementing distributed data structures\" on "
      "a simulated\n{}: every rank operates on random ranks, one operation at a time; the mean "
      "time of one.\nPredicted: the formulas of docs/model.md with the components at as many "
      "ranks.\n",
      profile);
  figure three = measure_figure(on, ranks, {"paper-a-figure-3", "Figure 3: components", "ranks"},
                                components());
  figure four = measure_figure(
      on, ranks, {"paper-a-figure-4", "Figure 4: pushes to queues, one at each rank", "ranks"},
      queue_operations());
  predict(four, queue_operations(), three);
  figure five = measure_figure(on, ranks, {"paper-a-figure-5", "Figure 5: a hash table", "ranks"},
                               table_operations());
  predict(five, table_operations(), three);
  figure six = measure_attention(on, std::min(ranks.back(), max_attentive_ranks));
  result.claims = paper_a_claims(three, four, five, six);
  result.figures = {std::move(three), std::move(four), std::move(five), std::move(six)};
  return result;
}

const benchmark registered("paper-a", "the figures of rdma-vs-rpc, simulated, and its claims",
                           measure_paper_a);

}  // namespace
}  // namespace far::bench
