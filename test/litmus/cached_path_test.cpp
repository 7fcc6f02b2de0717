// The access path of a cached array on processors with store buffers (cached_path.hpp): no access
// under a right that has been given up, no revocation that waits for ever, and only outcomes that
// docs/memory_model.md allows.

#include "test/litmus/cached_path.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test/litmus/interleavings.hpp"
#include "test/litmus/shapes.hpp"
#include "test/support/jobs.hpp"

#ifndef FAR_THREAD_SANITIZER  // its one thread computes for long
namespace far::litmus {
namespace {

struct subject {
  program text;
  bool operated = false;  ///< rank 0 may combine operands, not write
};

std::string explain(const subject& s) {
  return fmt::format("{}, operated: {}", text(s.text), s.operated);
}

/// The program of a shape, with its threads on these ranks.
program make(const shape& s, verb write, const std::vector<int>& ranks) {
  program p;
  p.name = s.name;
  p.places = {{"x", 0, 1}, {"y", 0, 1}};
  for (std::size_t t = 0; t < s.threads.size(); ++t) {
    p.threads.push_back({ranks[t], false, {}});
    for (const access& a : s.threads[t]) {
      step one;
      one.what = a.value > 0 ? write : verb::get;
      one.place = a.place;
      one.value = a.value;
      p.add(t, one);
    }
  }
  return p;
}

void add(std::vector<subject>& all, const shape& s, const std::vector<int>& ranks) {
  all.push_back({make(s, verb::set, ranks), false});
  all.push_back({make(s, verb::apply, ranks), false});
  all.push_back({make(s, verb::apply, ranks), true});
}

/// Shapes of two threads, on one rank or two.
std::vector<subject> pairs() {
  std::vector<subject> all;
  for (const shape& s : shapes()) {
    if (s.threads.size() != 2) continue;
    for (const std::vector<int>& ranks : {std::vector{0, 0}, std::vector{0, 1}, std::vector{1, 0}})
      add(all, s, ranks);
  }
  return all;
}

/// Two threads of rank 0, and one of rank 1 that takes a right away meanwhile.
std::vector<subject> revocations() {
  const std::vector<shape> shapes = {
      {"write, read, far read", {{{x, 1}}, {{x, 0}}, {{x, 0}}}},
      {"write, read, far write", {{{x, 1}}, {{x, 0}}, {{x, 2}}}},
      {"two reads, write, far write", {{{x, 0}, {x, 0}}, {{x, 1}}, {{x, 2}}}},
      {"two writes, read, far read", {{{x, 1}, {x, 2}}, {{x, 0}}, {{x, 0}}}},
      {"mp, far read", {{{x, 1}, {y, 1}}, {{y, 0}, {x, 0}}, {{x, 0}}}},
      {"sb, far read", {{{x, 1}, {y, 0}}, {{y, 1}, {x, 0}}, {{x, 0}}}},
  };
  std::vector<subject> all;
  for (const shape& s : shapes) add(all, s, {0, 0, 1});
  return all;
}

/// The first of them in the quick tier.
std::vector<subject> revocations_here() {
  constexpr std::size_t of_quick_tier = 4;
  std::vector<subject> all = revocations();
  if (test::seeds_here(test::usual_seeds) < test::usual_seeds) all.resize(of_quick_tier);
  return all;
}

path_result explore(const subject& s, bool asymmetric, omission without = omission::nothing) {
  path_options how{asymmetric, {}, without};
  how.operated.fill(s.operated);
  return explore_path(s.text, how);
}

/// Returns the number of outcomes that are not sequentially consistent.
std::size_t expect_allowed(const subject& s, bool asymmetric) {
  const path_result shown = explore(s, asymmetric);
  EXPECT_FALSE(shown.late_access) << explain(s);
  EXPECT_FALSE(shown.lost_revocation) << explain(s);
  const std::vector<outcome> allowed = interleavings(s.text);
  for (const outcome& o : shown.outcomes) {
    EXPECT_TRUE(std::ranges::binary_search(allowed, o))
        << explain(s) << "\nshows " << text(s.text, o);
  }
  program strong = s.text;
  for (thread& t : strong.threads) {
    for (step& one : t.steps) one.by = way::sequential;
  }
  const std::vector<outcome> consistent = interleavings(strong);
  return static_cast<std::size_t>(std::ranges::count_if(shown.outcomes, [&](const outcome& o) {
    return !std::ranges::binary_search(consistent, o);
  }));
}

TEST(litmus_cached_path, is_sequentially_consistent) {
  for (const bool asymmetric : {true, false}) {
    for (const subject& s : pairs()) expect_allowed(s, asymmetric);
  }
}

TEST(litmus_cached_path, is_sequentially_consistent_while_rights_are_revoked) {
  for (const subject& s : revocations_here()) expect_allowed(s, true);
}

/// The same with all steps by another way, but for those of one thread.
subject by(way what, subject s, std::size_t sequential) {
  for (std::size_t t = 0; t < s.text.threads.size(); ++t) {
    if (t == sequential) continue;
    for (step& one : s.text.threads[t].steps) one.by = what;
  }
  return s;
}
constexpr std::size_t nobody = 9;

/// Plain stores are seen late by the threads of the rank. Other ranks see them in order, because
/// the fence of a revocation reaches all threads.
void expect_weak_on_one_rank(way what) {
  std::size_t weak = 0;
  for (const subject& s : pairs()) {
    if (what == way::pinned && s.operated) continue;  // pins for operators use the mutex
    for (const std::size_t sequential : {nobody, std::size_t{0}, std::size_t{1}}) {
      const subject mixed = by(what, s, sequential);
      const std::size_t more = expect_allowed(mixed, true);
      weak += more;
      const bool is_one_rank = s.text.threads[0].rank == s.text.threads[1].rank;
      EXPECT_TRUE(more == 0 || is_one_rank) << explain(mixed);
    }
  }
  EXPECT_GT(weak, 0u) << "no store was seen late";
  fmt::print("{} outcomes that are not sequentially consistent\n", weak);
}

TEST(litmus_cached_path, relaxed_view_is_coherent) { expect_weak_on_one_rank(way::relaxed); }

TEST(litmus_cached_path, pins_keep_their_chunk) {
  expect_weak_on_one_rank(way::pinned);
  for (const subject& s : revocations_here()) {
    if (s.operated || s.text.name.find("two") != std::string::npos) continue;
    expect_allowed(by(way::pinned, s, nobody), true);
  }
}

TEST(litmus_cached_path, every_omission_is_found) {
  struct expected {
    const char* name;
    omission what;
    bool asymmetric;
    bool (*is_found)(const path_result&, const subject&);
    way by = way::sequential;
  };
  const auto late = [](const path_result& r, const subject&) { return r.late_access; };
  const auto lost = [](const path_result& r, const subject&) { return r.lost_revocation; };
  const auto weak = [](const path_result& r, const subject& s) {
    return !std::ranges::includes(interleavings(s.text), r.outcomes);
  };
  const expected all[] = {
      {"first heavy fence", omission::first_heavy_fence, true, late},
      {"second heavy fence", omission::second_heavy_fence, true, lost},
      {"second look", omission::second_look, true, lost},
      {"withdrawal", omission::withdrawal, true, late},
      {"publish before check", omission::publish_before_check, true, late},
      {"access before clear", omission::access_before_clear, true, late},
      {"clear before look", omission::clear_before_look, true, lost},
      {"look at pins", omission::look_at_pins, true, late, way::pinned},
      {"fence of set", omission::fence_of_set, true, weak},
      {"light fence of publish", omission::light_fence_of_publish, false, late},
      {"light fence of clear", omission::light_fence_of_clear, false, lost},
  };
  for (const expected& e : all) {
    const std::vector<subject> subjects = pairs();
    const auto found = std::ranges::find_if(subjects, [&](const subject& s) {
      return e.is_found(explore(by(e.by, s, nobody), e.asymmetric, e.what), s);
    });
    ASSERT_NE(found, subjects.end()) << e.name << " is not needed?";
    fmt::print("without {}: found by {}\n", e.name, found->text.name);
  }
}

}  // namespace
}  // namespace far::litmus
#endif
