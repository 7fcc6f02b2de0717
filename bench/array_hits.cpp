// Hits of far::cached_array's protocol, compared with std::vector and with an access path that
// counts references.

#include <algorithm>
#include <barrier>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/array.hpp"
#include "bench/array_loops.hpp"

namespace far::bench {
namespace {

using namespace array_loops;

cached_array_options with_protocol() {
  cached_array_options how;
  how.cache_bytes = std::uint64_t{64} << 20;  // no evictions
  how.force_protocol = true;
  return how;
}

/// Rank 0 accesses rank 1's elements, the second half of each array, under one right per array.
/// Nobody accesses the first half of `read` otherwise: there rank 0 has its own elements.
struct hit_bed {
  explicit hit_bed(const world& world)
      : read(world, 2 * all_words, with_protocol()),
        written(world, 2 * all_words, with_protocol()),
        operated(world, 2 * all_words, with_protocol()),
        read_relaxed(read.relaxed()),
        written_relaxed(written.relaxed()),
        operated_relaxed(operated.relaxed()),
        vector(all_words),
        huge_vector(all_words),
        counted(all_words) {
    if (world.rank() == 0) pin.emplace(read.pin_read(all_words));
  }

  words read;
  words written;
  words operated;
  relaxed_words read_relaxed;
  relaxed_words written_relaxed;
  relaxed_words operated_relaxed;
  word_vector<false> vector;
  word_vector<true> huge_vector;
  baseline::counted_cache counted;
  std::optional<read_pin<word>> pin;
};

std::vector<subject> hit_subjects(world& world) {
  const auto bed = std::make_shared<hit_bed>(world);
  std::vector<subject> result;
  const auto add = [&](subject s) { result.push_back(on_rank_0(world, bed, std::move(s))); };
  const of_far read{bed->read, all_words};
  const of_far written{bed->written, all_words};
  const of_far operated{bed->operated, all_words};
  const of_far home{bed->read, 0};
  const of_relaxed relaxed_written{bed->written_relaxed, all_words};
  const of_relaxed relaxed_operated{bed->operated_relaxed, all_words};
  const of_relaxed relaxed_home{bed->read_relaxed, 0};
  const of_vector<false> vector{bed->vector};
  const of_vector<true> huge{bed->huge_vector};
  const of_counted counted{bed->counted};
  add(in_order("get", read, read_in_order<of_far>));
  add(in_order("get, home", home, read_in_order<of_far>));
  add(in_order("get, vector", vector, read_in_order<of_vector<false>>));
  add(in_order("get, huge", huge, read_in_order<of_vector<true>>));
  add(in_order("get, counted", counted, read_in_order<of_counted>));
  add(at_random("random", read));
  add(at_random("random, home", home));
  add(at_random("random, vector", vector));
  add(at_random("random, huge", huge));
  add(at_random("random, counted", counted));
  add(in_order("put", written, write_in_order<of_far>));
  add(in_order("put, home", home, write_in_order<of_far>));
  add(in_order("relaxed put", relaxed_written, write_in_order<of_relaxed>));
  add(in_order("relaxed put, home", relaxed_home, write_in_order<of_relaxed>));
  add(in_order("put, vector", vector, write_in_order<of_vector<false>>));
  add(in_order("put, huge", huge, write_in_order<of_vector<true>>));
  add(in_order("put, counted", counted, write_in_order<of_counted>));
  add(in_order("apply", operated, add_in_order<of_far>));
  add(in_order("apply, home", home, add_in_order<of_far>));
  add(in_order("relaxed apply", relaxed_operated, add_in_order<of_relaxed>));
  add(in_order("relaxed apply, home", relaxed_home, add_in_order<of_relaxed>));
  add(in_order("apply, vector", vector, add_in_order<of_vector<false>>));
  add(in_order("apply, huge", huge, add_in_order<of_vector<true>>));
  add(in_order("pinned", read, read_pinned));
  add(in_order("unchecked", vector, read_unchecked<false>));
  add(in_order("unchecked, huge", huge, read_unchecked<true>));
  const std::span<const word> chunk = std::span(bed->vector).first(chunk_words);
  add(over_and_over("pinned chunk", bed->pin ? bed->pin->elements() : chunk));
  add(over_and_over("vector's chunk", chunk));
  return result;
}

/// `n` threads of rank 0 access one chunk, over and over, `count` elements together.
/// `pass(thread)` returns what accesses each element of the chunk once. The time is that from the
/// first thread's begin to the last one's end, without the start of threads.
template <class Pass>
subject by_threads(std::string name, const std::shared_ptr<hit_bed>& bed, world& world, int n,
                   Pass pass) {
  const auto ns = std::make_shared<double>(0);
  const auto run = [&world, n, pass, ns](std::int64_t count) {
    const std::int64_t times = count / n / static_cast<std::int64_t>(chunk_words);
    std::vector<double> begins(static_cast<std::size_t>(n));
    std::vector<double> ends(begins);
    std::barrier ready(n);
    world.threads(n, [&](far::world& thread) {
      take_own_core(thread.thread());
      const auto access = pass(thread);
      keep(access());  // the miss
      ready.arrive_and_wait();
      const auto me = static_cast<std::size_t>(thread.thread());
      begins[me] = now_ns();
      for (std::int64_t i = 0; i < times; ++i) keep(access());
      ends[me] = now_ns();
    });
    *ns = *std::ranges::max_element(ends) - *std::ranges::min_element(begins);
  };
  if (world.rank() != 0) return {std::move(name), [bed](std::int64_t) {}};
  return {
      std::move(name), [bed, run](std::int64_t count) { run(count); }, {}, [ns] { return *ns; }};
}

std::vector<subject> thread_subjects(world& world) {
  const auto bed = std::make_shared<hit_bed>(world);
  hit_bed& b = *bed;
  const auto of_array = [](const words& a, auto loop) {
    return [&a, loop](far::world& thread) {
      return [mine = std::make_shared<cached_view<word>>(a.on(thread)), loop] {
        return loop(of_far{*mine}, all_words, all_words + chunk_words);
      };
    };
  };
  const auto of = [](auto array) {
    return
        [array](far::world&) { return [array] { return read_in_order(array, 0, chunk_words); }; };
  };
  std::vector<subject> result;
  for (const int n : {1, 2}) {
    const auto add = [&](const std::string& what, auto pass) {
      result.push_back(by_threads(what + std::to_string(n), bed, world, n, pass));
    };
    add("get ", of_array(b.read, read_in_order<of_far>));
    add("apply ", of_array(b.operated, add_in_order<of_far>));
    add("counted ", of(of_counted{b.counted}));
    add("vector ", of(of_vector<false>{b.vector}));
  }
  return result;
}

void add_thread_rows(report& result, const array_effort& how) {
  const round_times times =
      rounds_of_jobs(how.jobs(), 2, thread_subjects, how.of_a_job_with_threads());
  const auto add = [&](const std::string& what, std::optional<double> max, const char* row) {
    result.rows.push_back(row_of({row, what + " 2", what + " 1", max}, times));
  };
  add("get", 1 / 1.8, "hit, get by two threads, limit: by one");
  add("apply", 1 / 1.8, "hit, apply by two threads, limit: by one");
  add("counted", {}, "counted get by two threads, limit: by one");
  add("vector", {}, "vector's get by two threads, limit: by one");
}

}  // namespace

void add_hit_rows(report& result, const array_effort& how) {
  const round_times times = rounds_of_jobs(how.jobs(), 2, hit_subjects, how.of_a_job());
  const auto add = [&](paired_subjects what) {
    what.row = "hit, " + what.row;
    result.rows.push_back(row_of(what, times));
  };
  using peers = std::vector<std::pair<std::string, std::string>>;
  const auto others = [](const std::string& of) {
    return peers{{"huge pages", of + ", huge"}, {"counted", of + ", counted"}};
  };
  for (const std::string home : {"", ", home"}) {
    add({"get in order" + home, "get" + home, "get, vector", 1.5, others("get")});
    add({"get at random" + home, "random" + home, "random, vector", 2, others("random")});
    add({"put in order" + home, "put" + home, "put, vector", {}, others("put")});
    add({"put in order, relaxed" + home, "relaxed put" + home, "put, vector", 2.5, others("put")});
    const std::string by = home.empty() ? "operands combine" : "atomic add";
    const peers vectors{{"huge pages", "apply, huge"}};
    add({"apply in order" + home, "apply" + home, "apply, vector", {}, vectors, by});
    add({"apply in order, relaxed" + home, "relaxed apply" + home, "apply, vector", 2.5, vectors,
         by});
  }
  for (const paired_subjects& what : pinned_rows()) add(what);
  add({"get in order, limit: counted", "get", "get, counted", 1.0 / 3});
  add({"put in order, relaxed, limit: counted", "relaxed put", "put, counted", 1.0 / 3});
  add_thread_rows(result, how);
}

}  // namespace far::bench
