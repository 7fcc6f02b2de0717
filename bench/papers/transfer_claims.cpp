#include "bench/papers/transfer_claims.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace far::bench {
namespace {

namespace names = transfer_names;

constexpr double close_to = 1.05;     // max ratio to the paper's figures
constexpr double slightly = 1.1;      // "slightly lower", "close to": max ratio of times
constexpr double unaffected = 1.05;   // "not affected at all", "virtually immune": max ratio
constexpr double degraded = 1.5;      // "seriously", "very significantly": min ratio
constexpr double clearly_below = 10;  // percent points
constexpr double min_overlap = 99;    // percent, at 1 MB
constexpr double min_overlap_2d = 95;

constexpr paper_machine machines[] = {{"ib-2004-ia32", 6200, 12300, 6300, 830, 765, 17100, 22100},
                                      {"ib-2004-ia64", 7440, 16000, 8030, 730, 689, 17100, 22100}};

/// Min and max over the places of a figure.
struct range {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  void add(double value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

/// dividend / divisor at each place: how many times as long.
range ratios(const figure& dividend, const char* name, const figure& divisor, const char* other) {
  range result;
  for (std::size_t i = 0; i < dividend.places.size(); ++i) {
    result.add(dividend.named(name).ns[i] / divisor.named(other).ns[i]);
  }
  return result;
}

double last(const figure& of, const char* name) { return of.named(name).ns.back(); }
double mb_s(double ns_of_byte) { return 1000 / ns_of_byte; }

claim peak(const char* number, const figure& of, const char* name, double paper) {
  const double here = mb_s(*std::ranges::min_element(of.named(name).ns));
  return {fmt::format("Figure {}: the peak bandwidth of a {} is {:.0f} MB/s", number,
                      number[0] == '3' ? "put" : "get", paper),
          fmt::format("{:.0f} MB/s", here), std::abs(here / paper - 1) <= close_to - 1};
}

claim ahead_of_messages(const figure& puts) {
  const range r = ratios(puts, names::messages, puts, names::many);
  return {"Figure 3: puts in flight have at least the bandwidth of message passing at all sizes",
          fmt::format("{:.2f} to {:.2f} times", r.min, r.max), r.min >= 1};
}

claim below_many(const char* number, const figure& of, const char* name) {
  const range r = ratios(of, name, of, names::many);
  const double ratio = last(of, name) / last(of, names::many);
  return {
      fmt::format("Figure {}: one after another has slightly less bandwidth than many in flight, "
                  "at 1 MB",
                  number),
      fmt::format("{:.3f} times as long, {:.2f} at most", ratio, r.max),
      ratio >= 1 && ratio <= slightly};
}

claim registering_costs(const figure& memory) {
  const auto& registering = memory.named(names::registering).ns;
  const auto& copying = memory.named(names::copying).ns;
  std::string largest = "none";
  for (std::size_t i = 0; i < registering.size(); ++i) {
    if (registering[i] > copying[i]) largest = memory.places[i] + " bytes";
  }
  const double ratio = registering.front() / copying.front();
  return {
      "Figure 2: registering small memory costs more than copying it",
      fmt::format("{:.0f} times at {} bytes, more up to {}", ratio, memory.places.front(), largest),
      ratio > 1};
}

claim zero_copy_is_best(const figure& idle) {
  const double pipelined = last(idle, names::pipelined) / last(idle, names::zero_copy);
  const double buffered = last(idle, names::buffered) / last(idle, names::zero_copy);
  return {"Figure 5: at 1 MB zero-copy is ahead of pipelined, and that of buffered",
          fmt::format("they take {:.2f} and {:.2f} times as long", pipelined, buffered),
          pipelined > 1 && buffered > pipelined};
}

claim immune(const char* number, const figure& idle, const figure& busy, const char* name) {
  const range r = ratios(busy, name, idle, name);
  const double ratio = last(busy, name) / last(idle, name);
  return {fmt::format("Figure {}: {} gets of 1 MB are not affected by a target that computes",
                      number, name),
          fmt::format("they take {:.2f} times as long; of any size, {:.2f} at most", ratio, r.max),
          ratio <= unaffected};
}

claim suffers(const char* number, const figure& idle, const figure& busy, const char* name) {
  const double ratio = last(busy, name) / last(idle, name);
  return {fmt::format("Figure {}: {} gets are seriously degraded by a target that computes", number,
                      name),
          fmt::format("{:.2f} times as long at 1 MB", ratio), ratio >= degraded};
}

claim overlaps(const char* number, const figure& of, const char* name, double goal) {
  const double here = last(of, name);
  return {fmt::format("Figure {}: {} gets are hidden up to {:.0f} %, at 1 MB", number, name, goal),
          fmt::format("{:.2f} %", here), here >= goal};
}

claim overlaps_less(const char* number, const figure& of, const char* better) {
  const double here = last(of, names::buffered);
  return {fmt::format("Figure {}: of buffered gets clearly less is hidden, at 1 MB", number),
          fmt::format("{:.1f} %, {:.1f} % of {}", here, last(of, better), better),
          last(of, better) - here >= clearly_below};
}

claim exposed_time(const std::vector<double>& exposed) {
  const auto [min, max] = std::ranges::minmax(exposed);
  return {
      "Section 4.2: what is not hidden is the time to post and to poll, at most 8 us, at all sizes",
      fmt::format("{:.1f} to {:.1f} us", min / 1000, max / 1000), max <= 8000};
}

claim atomics_save(const atomic_times& of) {
  const double saved = 100 * (1 - of.by_interface / of.by_helper);
  return {"Section 4.3: the interface's atomics take 23 % less time than the server's",
          fmt::format("{:.0f} %", saved), std::abs(saved - 23) <= 5};
}

claim assisted_is_ahead(const figure& idle) {
  const double buffered = last(idle, names::buffered) / last(idle, names::assisted);
  const double messages = last(idle, names::messages) / last(idle, names::assisted);
  return {"Figure 9: host-assisted is much better than buffered and message passing, at 1 MB",
          fmt::format("they take {:.2f} and {:.2f} times as long", buffered, messages),
          buffered >= degraded && messages >= degraded};
}

claim gap_widens(const figure& idle) {
  const auto gap = [&](std::size_t i) {
    return idle.named(names::buffered).ns[i] / idle.named(names::assisted).ns[i];
  };
  return {"Figure 9: the more so the longer the rows are",
          fmt::format("from {:.2f} to {:.2f} times buffered's time", gap(0),
                      gap(idle.places.size() - 1)),
          gap(idle.places.size() - 1) > gap(0)};
}

claim strided_as_contiguous(const figure& squares, const figure& rows) {
  const double ratio = last(squares, names::assisted) / last(rows, names::zero_copy);
  return {"Abstract: host-assisted strided gets have close to the contiguous bandwidth, at 1 MB",
          fmt::format("{:.0f} of {:.0f} MB/s", mb_s(last(squares, names::assisted)),
                      mb_s(last(rows, names::zero_copy))),
          ratio <= slightly};
}

/// By how many percent `name` is ahead of message passing.
range gains(const figure& of, const char* name) {
  range result;
  for (std::size_t i = 0; i < of.places.size(); ++i) {
    result.add(100 * (of.named(names::messages).ns[i] / of.named(name).ns[i] - 1));
  }
  return result;
}

/// Holds if the least and the largest gain are at least half the paper's.
claim gain(const std::string& where, const figure& of, const char* name, double min, double max) {
  constexpr double nothing = -2;  // percent
  const range here = gains(of, name);
  const std::string paper =
      min > 0 ? fmt::format("{:.0f} % to {:.0f} %", min, max) : fmt::format("up to {:.0f} %", max);
  return {fmt::format("{}: {} is ahead of message passing by {}", where, name, paper),
          fmt::format("{:.1f} % to {:.1f} %", here.min, here.max),
          here.max >= max / 2 && here.min >= (min > 0 ? min / 2 : nothing)};
}

claim chooses_well(const figure& idle) {
  range r;
  for (std::size_t i = 0; i < idle.places.size(); ++i) {
    const double best =
        std::min({idle.named(names::buffered).ns[i], idle.named(names::assisted).ns[i],
                  idle.named(names::per_segment).ns[i]});
    r.add(idle.named(names::automatic).ns[i] / best);
  }
  return {"libfar: the automatic choice takes at most 1.1 times as long as the best one (figure 9)",
          fmt::format("{:.2f} to {:.2f} times", r.min, r.max), r.max <= slightly};
}

}  // namespace

const paper_machine* paper_machine_of(const std::string& profile) noexcept {
  const auto found = std::ranges::find(machines, profile, &paper_machine::profile);
  return found == std::end(machines) ? nullptr : found;
}

std::vector<row> transfer_rows(const transfer_results& of, const std::string& profile) {
  const paper_machine* const paper = paper_machine_of(profile);
  std::vector<row> rows;
  const auto add = [&](const char* name, double ns, double paper_ns, const char* note) {
    row line{name, ns};
    if (paper != nullptr) {
      line.limit_ns = paper_ns;
      line.wanted.max_ratio = close_to;
    }
    line.note = note;
    rows.push_back(std::move(line));
  };
  const paper_machine known = paper != nullptr ? *paper : paper_machine{};
  add("put 8 bytes", of.put_ns, known.put_ns, "table 1; fitted");
  add("get 8 bytes", of.get_ns, known.get_ns, "table 1; fitted");
  add("message of 8 bytes", of.message_ns, known.message_ns, "table 1; fitted");
  add("fetch-and-add by the interface", of.atomics.by_interface, known.interface_atomic_ns,
      "section 4.3; fitted");
  add("fetch-and-add by the helper", of.atomics.by_helper, known.helper_atomic_ns,
      "section 4.3; fitted");
  return rows;
}

std::vector<claim> transfer_claims(const transfer_results& of, const std::string& profile) {
  std::vector<claim> all{atomics_save(of.atomics), registering_costs(of.memory)};
  if (const paper_machine* const paper = paper_machine_of(profile)) {
    all.push_back(peak("3", of.puts, names::put, paper->put_mb_s));
    all.push_back(peak("4", of.gets, names::get, paper->get_mb_s));
  }
  all.insert(all.end(),
             {below_many("3", of.puts, names::put), ahead_of_messages(of.puts),
              below_many("4", of.gets, names::get), zero_copy_is_best(of.idle),
              immune("6", of.idle, of.busy, names::zero_copy),
              suffers("6", of.idle, of.busy, names::buffered),
              suffers("6", of.idle, of.busy, names::pipelined),
              overlaps("7a", of.overlap, names::zero_copy, min_overlap),
              overlaps_less("7a", of.overlap, names::zero_copy),
              overlaps("7b", of.overlap_2d, names::assisted, min_overlap_2d),
              overlaps_less("7b", of.overlap_2d, names::assisted), exposed_time(of.exposed_ns),
              assisted_is_ahead(of.idle_2d), gap_widens(of.idle_2d),
              immune("10", of.idle_2d, of.busy_2d, names::assisted),
              suffers("10", of.idle_2d, of.busy_2d, names::buffered),
              strided_as_contiguous(of.idle_2d, of.idle), chooses_well(of.idle_2d)});
  return all;
}

std::vector<claim> multigrid_claims(const multigrid_results& of) {
  return {gain("Figure 11, class A", of.class_a, names::buffered, 8, 22),
          gain("Figure 11, class A", of.class_a, names::zero_copy, 14, 25),
          gain("Figure 11, class B", of.class_b, names::buffered, 5, 19),
          gain("Figure 11, class B", of.class_b, names::zero_copy, 14, 27)};
}

std::vector<claim> product_claims(const product_results& of) {
  return {gain("Figure 12, square", of.square, names::buffered, 0, 44),
          gain("Figure 12, square", of.square, names::assisted, 18, 80)};
}

}  // namespace far::bench
