#include "bench/papers/paper_a_claims.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bench/harness/report.hpp"

namespace far::bench {
namespace {

constexpr double dear = 1.5;      // "much more expensive": min ratio
constexpr double alike = 0.1;     // "similar": max relative difference
constexpr double deviates = 0.1;  // "varies significantly": min relative difference

/// Min and max of a ratio over the places.
struct range {
  double min = std::numeric_limits<double>::infinity();
  double max = 0;
};

/// The first place with several nodes: place 0 is one node, which has only shared memory. If there
/// is only one place, uses it.
std::size_t first_place(const figure& what) { return what.places.size() > 1 ? 1 : 0; }

range ratios(const figure& what, std::size_t begin,
             const std::function<double(std::size_t)>& ratio_at) {
  range result;
  for (std::size_t i = begin; i < what.places.size(); ++i) {
    const double ratio = ratio_at(i);
    result.min = std::min(result.min, ratio);
    result.max = std::max(result.max, ratio);
  }
  return result;
}
range ratios(const figure& what, const char* dividend, const char* divisor) {
  const auto& over = what.named(dividend).ns;
  const auto& under = what.named(divisor).ns;
  return ratios(what, first_place(what), [&](std::size_t i) { return over[i] / under[i]; });
}

std::string times(const range& r, const char* of) {
  return fmt::format("{:.2f} to {:.2f} times {}", r.min, r.max, of);
}

/// `name` is cheaper than all others at each place with several nodes.
claim is_cheapest(std::string text, const figure& what, const char* name,
                  std::initializer_list<const char*> others) {
  const range r = ratios(what, first_place(what), [&](std::size_t i) {
    double min = std::numeric_limits<double>::infinity();
    for (const char* other : others) min = std::min(min, what.named(other).ns[i]);
    return what.named(name).ns[i] / min;
  });
  return {std::move(text), times(r, "the next"), r.max < 1};
}

claim is_dear(std::string text, const figure& what, const char* name, const char* beside) {
  const range r = ratios(what, name, beside);
  return {std::move(text), times(r, beside), r.min >= dear};
}

/// Ratio of a measured curve to its prediction.
range against_model(const figure& what, const char* name) {
  return ratios(what, name, (std::string(name) + ", predicted").c_str());
}

claim form_a_cluster(const figure& components) {
  const range r = ratios(components, first_place(components), [&](std::size_t i) {
    const auto [min, max] =
        std::minmax({components.named("get").ns[i], components.named("fetch-and-add").ns[i],
                     components.named("compare-and-swap").ns[i]});
    return max / min;
  });
  return {"get, fetch-and-add and compare-and-swap cost about the same",
          fmt::format("the most expensive is at most {:.2f} times the cheapest", r.max),
          r.max <= 1 + alike};
}

claim find_meets_calls(const figure& tables) {
  const auto& one_sided = tables.named("find CRW").ns;
  const auto& calls = tables.named("AM find").ns;
  const auto ratio = [&](std::size_t i) { return one_sided[i] / calls[i]; };
  const std::size_t first = first_place(tables);
  const std::size_t last = tables.places.size() - 1;
  return {fmt::format("find CRW costs more than AM find at first, and meets it near 128 nodes"),
          fmt::format("{:.2f} times AM find at {} ranks, {:.2f} at {}", ratio(first),
                      tables.places[first], ratio(last), tables.places[last]),
          ratio(first) > 1 && std::abs(ratio(last) - 1) <= alike};
}

claim both_inserts_deviate(const figure& tables) {
  const range free = against_model(tables, "insert CW");
  const range full = against_model(tables, "insert CRW");
  const auto off = [](const range& r) { return std::max(r.max - 1, 1 - r.min); };
  return {"both inserts vary significantly from the model",
          fmt::format("CW {:.2f} to {:.2f}, CRW {:.2f} to {:.2f} times the model", free.min,
                      free.max, full.min, full.max),
          off(free) > deviates && off(full) > deviates};
}

/// Compares the rank of insert CW by cost among the table's operations, measured and predicted, at
/// the last place.
claim insert_breaks_the_order(const figure& tables) {
  const auto place_of = [&](const std::string& suffix) {
    const double own = tables.named("insert CW" + suffix).ns.back();
    int cheaper = 0;
    for (const char* other : {"find CR", "find CRW", "insert CRW", "AM find", "AM insert"}) {
      cheaper += tables.named(other + suffix).ns.back() < own ? 1 : 0;
    }
    return cheaper + 1;
  };
  const int found = place_of("");
  const int predicted = place_of(", predicted");
  return {"insert CW breaks the predicted order",
          fmt::format("number {} of 6 at {} ranks, predicted {}", found, tables.places.back(),
                      predicted),
          found != predicted};
}

/// The computation time from which calls cost more than a one-sided push.
claim overtaken(const figure& attention, const char* one_sided) {
  const auto& calls = attention.named("AM push").ns;
  const auto& pushes = attention.named(one_sided).ns;
  std::size_t first = 0;
  while (first < calls.size() && calls[first] <= pushes[first]) ++first;
  const std::string at = first == 0 ? "from the start"
                         : first == calls.size()
                             ? "never"
                             : fmt::format("from {} us on", attention.places[first]);
  const bool holds = first > 0 && first < calls.size() && attention.places[first] == "4";
  return {fmt::format("AM push is overtaken by {} past 2 us of computation", one_sided), at, holds};
}

claim grows_by_half(const figure& attention) {
  const auto& calls = attention.named("AM push").ns;
  const double last_us = std::stod(attention.places.back());
  const double share = (calls.back() - calls.front()) / (1000 * last_us);
  return {"AM push grows by about half of the computation",
          fmt::format("by {:.2f} of it at {} us", share, attention.places.back()),
          share > 0.4 && share < 0.6};
}

claim falls(const figure& attention, const char* one_sided) {
  const auto& ns = attention.named(one_sided).ns;
  return {fmt::format("{} falls as computation spaces pushes out", one_sided),
          fmt::format("from {} to {}", human_time(ns.front()), human_time(ns.back())),
          ns.back() < ns.front()};
}

claim thread_helps_at_a_price(const figure& attention) {
  const auto& calls = attention.named("AM push").ns;
  const auto& helped = attention.named("AM push, progress thread").ns;
  return {"a progress thread costs a penalty, and spares the wait",
          fmt::format("{} for {} without computation, {} for {} at {} us",
                      human_time(helped.front()), human_time(calls.front()),
                      human_time(helped.back()), human_time(calls.back()), attention.places.back()),
          helped.front() > calls.front() && helped.back() < calls.back() &&
              helped.back() < 2 * helped.front()};
}

}  // namespace

std::vector<claim> paper_a_claims(const figure& components, const figure& queues,
                                  const figure& tables, const figure& attention) {
  const range turn = against_model(queues, "push CRW");
  const range calls = ratios(queues, "AM push", "push CRW");
  return {
      is_cheapest("put is the cheapest component", components, "put",
                  {"get", "fetch-and-add", "fetch-and-add, one word", "compare-and-swap",
                   "compare-and-swap until it wins"}),
      form_a_cluster(components),
      is_dear("compare-and-swap until it wins costs much more than one try", components,
              "compare-and-swap until it wins", "compare-and-swap"),
      is_dear("fetch-and-add of one word a rank costs much more than of random ones", components,
              "fetch-and-add, one word", "fetch-and-add"),
      {"AM push is below push CRW when ranks are attentive", times(calls, "push CRW"),
       calls.max < 1},
      {"push CRW costs more than the model predicts", times(turn, "the model"), turn.min > 1},
      is_cheapest("find CR is the cheapest of the table's operations", tables, "find CR",
                  {"find CRW", "insert CW", "insert CRW", "AM find", "AM insert"}),
      find_meets_calls(tables),
      both_inserts_deviate(tables),
      insert_breaks_the_order(tables),
      overtaken(attention, "push CRW"),
      overtaken(attention, "push CW"),
      grows_by_half(attention),
      falls(attention, "push CRW"),
      falls(attention, "push CW"),
      thread_helps_at_a_price(attention),
  };
}

}  // namespace far::bench
