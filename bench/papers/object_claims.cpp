#include "bench/papers/object_claims.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

namespace far::bench {
namespace {

namespace names = object_names;

constexpr double about_same = 1.1;  // max ratio
constexpr double same = 1.05;
constexpr double almost_half = 0.6;
constexpr double collapse = 0.1;  // "overloaded": max share of one machine's rate
constexpr double energy_tolerance = 1e-9;

/// The time of a curve on so many machines, if it was measured.
std::optional<double> at(const figure& of, const std::string& name, int machines) {
  const auto place = std::ranges::find(of.places, std::to_string(machines));
  if (place == of.places.end()) return {};
  return of.named(name).ns[static_cast<std::size_t>(place - of.places.begin())];
}

double first(const figure& of, const std::string& name) { return of.named(name).ns.front(); }
double last(const figure& of, const std::string& name) { return of.named(name).ns.back(); }
std::string most(const figure& of) { return of.places.back() + " machines"; }

claim two_lock_as_one(const figure& locks) {
  const double alone = first(locks, names::all);
  const double both = *at(locks, names::all, 2);
  return {"Locks: two machines take as many a second as one (566,051 of 568,181)",
          fmt::format("{} of {}: {} at home, and only {} by the other machine", human_rate(both),
                      human_rate(alone), human_rate(*at(locks, names::home, 2)),
                      human_rate(*at(locks, names::remote, 2))),
          both <= alone * about_same && alone <= both * about_same};
}

claim many_collapse(const figure& locks) {
  const double rate = first(locks, names::all) / last(locks, names::all);
  return {fmt::format("Locks: on {} the object's machine is overloaded (1,768 locks/s on 8)",
                      most(locks)),
          fmt::format("{}, {:.2f} of one machine's; {} by each other machine",
                      human_rate(last(locks, names::all)), rate,
                      human_rate(last(locks, names::remote))),
          rate <= collapse};
}

claim barrier_takes(const figure& barriers, int machines, double paper_us) {
  const double us = *at(barriers, names::barrier, machines) / 1000;
  return {fmt::format("Barriers: on {} machines one takes at most {} us", machines, paper_us),
          fmt::format("{:.1f} us; {:.1f} us for each machine that comes", us, us / machines),
          us <= paper_us};
}

claim same_on_more(const figure& requests, const char* name) {
  const double two = *at(requests, name, 2);
  const double more = last(requests, name);
  return {fmt::format("Requests: {}, as fast on {} as on 2", name, most(requests)),
          fmt::format("{} and {}", human_time(more), human_time(two)),
          more <= two * same && two <= more * same};
}

claim request_takes(const figure& requests, const object_case& c) {
  const double us = *at(requests, c.name, 2) / 1000;
  return {fmt::format("Requests: {}, at most {} us", c.name, c.request_us[1]),
          fmt::format("{:.1f} us", us), us <= c.request_us[1]};
}

claim requests_halve(const figure& requests, const char* by_messages, const char* one_sided) {
  const double before = *at(requests, by_messages, 2);
  const double after = *at(requests, one_sided, 2);
  return {
      "Requests: a one-sided reply almost halves the time (49.9 to 24.6 us)",
      fmt::format("{} to {}, {:.2f} of it", human_time(before), human_time(after), after / before),
      after / before <= almost_half};
}

/// By how many percent one-sided replies shorten a program.
double saved(const figure& of, const char* by_messages, const char* one_sided, int machines) {
  return 100 * (1 - *at(of, one_sided, machines) / *at(of, by_messages, machines));
}

/// Holds if it is at least half of the paper's.
claim water_gains(const figure& water, const char* by_messages, const char* one_sided) {
  const double here = saved(water, by_messages, one_sided, 8);
  return {"Water: one-sided replies save 20.6 % on 8 machines", fmt::format("{:.1f} %", here),
          here >= 20.6 / 2};
}

claim lu_gains(const figure& lu, const char* by_messages, const char* one_sided) {
  const double here = saved(lu, by_messages, one_sided, 8);
  return {"LU: one-sided replies save only little on 8 machines, 3.6 %",
          fmt::format("{:.1f} %", here), here > 0 && here <= 2 * 3.6};
}

claim lu_loses(const figure& lu, const char* by_messages, const char* one_sided) {
  const double here = saved(lu, by_messages, one_sided, 2);
  return {"LU: one-sided replies cost time on 2 machines (30.1 to 32.9 s)",
          here > 0 ? fmt::format("they save {:.1f} %", here) : fmt::format("{:.1f} %", -here),
          here < 0};
}

claim bandwidth_falls(const figure& of, const object_case& c) {
  const double two = *at(of, c.name, 2);
  const double more = last(of, c.name);
  return {fmt::format("Bandwidth: {}, it falls with more than 2 machines ({} to {} MB/s on 8)",
                      c.name, c.bandwidth_mb_s[1], c.bandwidth_mb_s[2]),
          fmt::format("{:.3g} to {:.3g} MB/s on {}", 1000 / two, 1000 / more, most(of)),
          more > two};
}

/// What the paper's tables say of an update protocol against invalidation.
void add_comparisons(std::vector<claim>& all, const object_results& of, const object_case& c) {
  const object_case& base = case_of(apps::object_protocol::invalidate);
  const auto compare = [&](const char* what, const figure& where, const paper_numbers& mine,
                           const paper_numbers& other, const char* unit) {
    for (const auto& [machines, which] : {std::pair{2, 1U}, {8, 2U}}) {
      if (!at(where, c.name, machines)) continue;
      const double ratio = *at(where, c.name, machines) / *at(where, base.name, machines);
      const bool more = mine[which] > other[which];
      const bool faster = where.shows == quantity::bandwidth ? more : !more;
      all.push_back({fmt::format("{}: {} {} than {} on {} machines ({} against {} {})", what,
                                 c.name, faster ? "faster" : "slower", base.name, machines,
                                 mine[which], other[which], unit),
                     fmt::format("{:.2f} times the time", ratio), (ratio < 1) == faster});
    }
  };
  compare("Bandwidth", of.bandwidth, c.bandwidth_mb_s, base.bandwidth_mb_s, "MB/s");
  compare("Water", of.water, c.water_s, base.water_s, "s");
  compare("LU", of.lu, c.lu_s, base.lu_s, "s");
}

/// Against the best protocol that is fixed.
claim automatic_keeps_up(const char* program, const figure& of, int machines) {
  double best = 0;
  const char* name = nullptr;
  for (const object_case& c : object_cases()) {
    if (c.paper_name == nullptr) continue;
    const double here = *at(of, c.name, machines);
    if (name != nullptr && best <= here) continue;
    best = here;
    name = c.name;
  }
  const double ratio = *at(of, case_of(apps::object_protocol::automatic).name, machines) / best;
  return {fmt::format("libfar: {} on {} machines, automatic at most 5 % behind the best", program,
                      machines),
          fmt::format("{:.3f} times the time of {}", ratio, name), ratio <= same};
}

claim bandwidth_is(const figure& of, const object_case& c, int machines, double paper) {
  const double mb_s = 1000 / *at(of, c.name, machines);
  return {fmt::format("Bandwidth: {} on {} machines, at least {} MB/s", c.name, machines, paper),
          fmt::format("{:.3g} MB/s", mb_s), mb_s >= paper};
}

claim program_takes(const char* program, const figure& of, const object_case& c, int machines,
                    double paper_s) {
  const double s = *at(of, c.name, machines) / 1e9;
  const double alone = first(of, c.name) / 1e9;
  return {fmt::format("{}: {}, at most {} s on {} machines", program, c.name, paper_s, machines),
          fmt::format("{:.1f} s, {:.2f} times as fast as one machine", s, alone / s), s <= paper_s};
}

bool is_update(const object_case& c) noexcept {
  return c.how == apps::object_protocol::update || c.how == apps::object_protocol::in_place;
}

void add_programs(std::vector<claim>& all, const object_results& of, const object_case& c) {
  for (const auto& [machines, which] : {std::pair{2, 1U}, {8, 2U}}) {
    if (!at(of.water, c.name, machines)) continue;
    all.push_back(program_takes("Water", of.water, c, machines, c.water_s[which]));
    all.push_back(program_takes("LU", of.lu, c, machines, c.lu_s[which]));
  }
}

}  // namespace

std::vector<claim> object_claims(const object_results& of) {
  std::vector<claim> all;
  const bool has_two = at(of.locks, names::all, 2).has_value();
  const bool has_more = of.locks.places.back() != "2";
  if (has_two) all.push_back(two_lock_as_one(of.locks));
  if (has_more) all.push_back(many_collapse(of.locks));
  if (has_two) all.push_back(barrier_takes(of.barriers, 2, 66.6));
  if (at(of.barriers, names::barrier, 8)) all.push_back(barrier_takes(of.barriers, 8, 109));
  const char* const by_messages = case_of(apps::object_protocol::messages).name;
  const char* const one_sided = case_of(apps::object_protocol::invalidate).name;
  if (has_two) {
    all.push_back(requests_halve(of.requests, by_messages, one_sided));
    all.push_back(lu_loses(of.lu, by_messages, one_sided));
  }
  if (at(of.lu, one_sided, 8)) {
    all.push_back(water_gains(of.water, by_messages, one_sided));
    all.push_back(lu_gains(of.lu, by_messages, one_sided));
  }
  for (const object_case& c : object_cases()) {
    if (has_two && c.request_us[1] > 0) all.push_back(request_takes(of.requests, c));
    if (has_two && has_more && c.request_us[1] > 0) {
      all.push_back(same_on_more(of.requests, c.name));
    }
    if (c.bandwidth_mb_s[0] > 0) {
      if (has_two) all.push_back(bandwidth_is(of.bandwidth, c, 2, c.bandwidth_mb_s[1]));
      if (at(of.bandwidth, c.name, 8)) {
        all.push_back(bandwidth_is(of.bandwidth, c, 8, c.bandwidth_mb_s[2]));
      }
      if (has_two && has_more) all.push_back(bandwidth_falls(of.bandwidth, c));
    }
    if (c.paper_name != nullptr) add_programs(all, of, c);
    if (is_update(c)) add_comparisons(all, of, c);
  }
  for (const int machines : {2, 8}) {
    if (!at(of.water, one_sided, machines)) continue;
    all.push_back(automatic_keeps_up("Water", of.water, machines));
    all.push_back(automatic_keeps_up("LU", of.lu, machines));
  }
  all.push_back({"libfar: Water's energies are the same in all jobs, to 1e-9",
                 fmt::format("{:.1e}", of.water_spread), of.water_spread <= energy_tolerance});
  all.push_back({"libfar: LU's determinant is the same in all jobs, in every bit",
                 of.same_determinant ? "it is" : "it is not", of.same_determinant});
  return all;
}

std::vector<row> object_rows(const object_results& of) {
  const goal close{.max_ratio = same};
  return {{.name = "put 8 bytes",
           .ns = of.machine.put,
           .limit_ns = 2000,
           .wanted = close,
           .note = "section 1; fitted"},
          {.name = "message",
           .ns = of.machine.message,
           .limit_ns = 17000,
           .wanted = close,
           .note = "section 1; fitted"}};
}

}  // namespace far::bench
