// far::cached_array on this machine (row C11 of the capabilities): accesses compared with the same
// loads and stores by hand, with std::vector, and with the access path of the paper.

#include "bench/array.hpp"

#include <utility>

#include <fmt/format.h>

#include "bench/array_loops.hpp"
#include "bench/harness/registry.hpp"

namespace far::bench {

void check_settings(const std::string& name, const settings& chosen) {
  if (chosen.fabric.empty() && chosen.profile.empty() && chosen.ranks.empty()) return;
  throw bad_argument(fmt::format("the benchmark {} takes no --fabric, --profile or --ranks", name));
}

round_times rounds_of_jobs(int jobs, int ranks,
                           const std::function<std::vector<subject>(world&)>& prepare,
                           const effort& how) {
  round_times result;
  for (int i = 0; i < jobs; ++i) {
    const std::string label = fmt::format("array, {} ranks, job {} of {}", ranks, i + 1, jobs);
    result.append(rounds_on_processes(ranks, label, prepare, how));
  }
  return result;
}

row row_of(const paired_subjects& what, const round_times& times) {
  row result{what.row, median(times.of(what.far))};
  if (!what.limit.empty()) {
    result.limit_ns = median(times.of(what.limit));
    result.paired = paired_ratio(times.of(what.far), times.of(what.limit));
  }
  result.wanted.max_ratio = what.max_ratio;
  for (const auto& [name, peer] : what.peers) result.peers[name] = median(times.of(peer));
  result.note = what.note;
  return result;
}

std::vector<paired_subjects> pinned_rows() {
  return {{"pinned loop",
           "pinned",
           "unchecked",
           1.05,
           {{"huge pages", "unchecked, huge"}},
           "with pin and unpin"},
          {"loop in one pin", "pinned chunk", "vector's chunk", 1.05}};
}

namespace {

using namespace array_loops;

/// An array whose elements all ranks access in place, and the same number of words in vectors.
struct direct_bed {
  explicit direct_bed(const world& world)
      : a(world, all_words * static_cast<std::uint64_t>(world.size())),
        relaxed(a.relaxed()),
        vector(all_words),
        huge_vector(all_words),
        pin(a.pin_read(a.size() - all_words)) {
    hand.first = pin.first();  // the last rank's
    hand.size = a.size();
    const auto address = reinterpret_cast<std::uintptr_t>(pin.elements().data());
    hand.base = reinterpret_cast<word*>(address - hand.first * sizeof(word));
  }
  words a;
  relaxed_words relaxed;
  by_hand hand{};
  word_vector<false> vector;
  word_vector<true> huge_vector;
  read_pin<word> pin;
};

std::vector<subject> direct_subjects(world& world) {
  const auto bed = std::make_shared<direct_bed>(world);
  std::vector<subject> result;
  const auto add = [&](subject s) { result.push_back(on_rank_0(world, bed, std::move(s))); };
  const of_far elements{bed->a, bed->hand.first};
  const of_relaxed relaxed{bed->relaxed, bed->hand.first};
  const of_vector<false> vector{bed->vector};
  const of_vector<true> huge{bed->huge_vector};
  add(in_order("get", elements, read_in_order<of_far>));
  add(in_order("get by hand", bed->hand, read_in_order<by_hand>));
  add(in_order("get, vector", vector, read_in_order<of_vector<false>>));
  add(in_order("get, huge", huge, read_in_order<of_vector<true>>));
  add(at_random("random", elements));
  add(at_random("random by hand", bed->hand));
  add(at_random("random, vector", vector));
  add(at_random("random, huge", huge));
  add(in_order("put", elements, write_in_order<of_far>));
  add(in_order("put by hand", bed->hand, write_in_order<by_hand>));
  add(in_order("put, relaxed", relaxed, write_in_order<of_relaxed>));
  add(in_order("put by hand, relaxed", by_hand_relaxed{bed->hand},
               write_in_order<by_hand_relaxed>));
  add(in_order("put, vector", vector, write_in_order<of_vector<false>>));
  add(in_order("apply", elements, add_in_order<of_far>));
  add(in_order("apply by hand", bed->hand, add_in_order<by_hand>));
  add(in_order("apply, vector", vector, add_in_order<of_vector<false>>));
  add(in_order("pinned", elements, read_pinned));
  add(in_order("unchecked", vector, read_unchecked<false>));
  add(in_order("unchecked, huge", huge, read_unchecked<true>));
  add(over_and_over("pinned chunk", bed->pin.elements()));
  add(over_and_over("vector's chunk", std::span(bed->vector).first(chunk_words)));
  return result;
}

report measure_array(const settings& chosen) {
  check_settings("array", chosen);
  const array_effort how{chosen.quick};
  report result;
  result.measured = fmt::format(
      "array: a cached_array of 8-byte words; one thread passes over 8 MB of them, in order or at "
      "random, and\nthe time is that of one word. In place: all ranks share the memory, and "
      "nothing "
      "is cached; own: one rank;\nother's: of two ranks, the elements of the other. Limit: the "
      "same "
      "loads and stores (relaxed, or sequentially\nconsistent) by hand, on the same memory, with "
      "the "
      "same check of the index; of pinned loops: loops over a\nvector. Hit: with the protocol, on "
      "elements of another rank, or at their home; limit: vector.at(i). Miss:\nlimit: a call of "
      "far::rpc that returns a chunk (4 KB). Vectors have the kind of pages that libfar's memory\n"
      "has, or, in the column, huge pages; counted: the access path that counts references "
      "(DArray, "
      "section 4.1).\nIn brackets: the ratio's 95 % confidence interval, from {} rounds of both, "
      "in {} "
      "jobs.",
      how.rounds(), how.jobs());
  add_direct_rows(result, how);
  add_hit_rows(result, how);
  add_miss_rows(result, how);
  return result;
}

const benchmark registered("array", "a cached_array against loads by hand, vectors, and the paper",
                           measure_array);

}  // namespace

void add_direct_rows(report& result, const array_effort& how) {
  for (const int ranks : {1, 2}) {
    const round_times times = rounds_of_jobs(how.jobs(), ranks, direct_subjects, how.of_a_job());
    const std::string where = ranks == 1 ? "in place, own: " : "in place, other's: ";
    const auto add = [&](paired_subjects what) {
      what.row = where + what.row;
      result.rows.push_back(row_of(what, times));
    };
    const auto vectors = [](const std::string& of) {
      return std::vector<std::pair<std::string, std::string>>{{"vector", of + ", vector"},
                                                              {"huge pages", of + ", huge"}};
    };
    add({"get in order", "get", "get by hand", 1.2, vectors("get")});
    add({"get at random", "random", "random by hand", 1.5, vectors("random")});
    add({"put in order", "put", "put by hand", 1.2, {{"vector", "put, vector"}}});
    add({"put in order, relaxed",
         "put, relaxed",
         "put by hand, relaxed",
         1.2,
         {{"vector", "put, vector"}}});
    add({"apply in order", "apply", "apply by hand", {}, {{"vector", "apply, vector"}}});
    for (const paired_subjects& what : pinned_rows()) add(what);
  }
}

}  // namespace far::bench
