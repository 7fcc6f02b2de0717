// Put, get and accumulate of contiguous memory, patches and lists in the memory of another process,
// compared with loops over the same memory by hand, and with Global Arrays over ARMCI-MPI.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/array.hpp"
#include "bench/baselines/ga_peers.hpp"
#include "bench/baselines/patches.hpp"
#include "bench/harness/measure.hpp"
#include "bench/transfers.hpp"
#include "far/base/random.hpp"
#include "far/fabric/reach.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr patch_size copied[] = {{"8 bytes", 1, 1},
                                 {"64 KB", 8, usual_leading},
                                 {"2 MB", 256, usual_leading},
                                 {"1024 x 1", 1024, 1},
                                 {"1024 x 1, wide", 1024, 1, wide_leading},
                                 {"512 x 16", 512, 16},
                                 {"128 x 128", 128, 128},
                                 {"64 x 1000", 64, 1000}};
constexpr patch_size added[] = {{"64 KB", 8, usual_leading},
                                {"2 MB", 256, usual_leading},
                                {"1024 x 1", 1024, 1},
                                {"128 x 128", 128, 128}};
constexpr std::uint64_t list_lengths[] = {1, 8};  // doubles in a segment
constexpr patch_size aligned[] = {{"64 KB", 8, usual_leading}, {"128 x 128", 128, 128}};

std::string list_name(std::uint64_t length) {
  return fmt::format("list of {} x {} bytes", listed_segments, length * sizeof(double));
}

/// The matrices of the last rank, and a buffer in this rank's own memory.
struct bed {
  explicit bed(const world& world)
      : matrix(allocate<double>(world, wide_leading * matrix_rows).on(world.size() - 1)),
        mapped(reinterpret_cast<double*>(fabric::reached(world.words(), matrix.address()))),
        memory(max_elements + 2 * page / sizeof(double), 1.0) {
    // One cache line in each of as many equal parts, in any order.
    constexpr std::uint64_t line = 64 / sizeof(double);
    constexpr std::uint64_t lines = usual_leading * matrix_rows / line / listed_segments;
    base::random random(1);
    for (std::uint64_t i = 0; i < listed_segments; ++i) {
      first.push_back((i * lines + random.below(lines)) * line);
    }
    std::ranges::shuffle(first, random);
    for (const std::uint64_t length : list_lengths) {
      auto& list = lists.emplace_back();
      for (const std::uint64_t place : first) {
        list.push_back({matrix + static_cast<std::int64_t>(place), length});
      }
    }
  }
  /// The buffer `offset` bytes behind the matrix' begin, modulo 4096.
  [[nodiscard]] double* buffer_at(std::size_t offset) {
    const auto wanted = (reinterpret_cast<std::uintptr_t>(mapped) + offset) % page;
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
    return memory.data() + (wanted + page - begin % page) % page / sizeof(double);
  }
  /// At each of the offsets in turn.
  [[nodiscard]] double* buffer() { return buffer_at(offsets[turn++ % offsets.size()]); }

  ptr<double> matrix;
  double* mapped;
  std::vector<double> memory;
  std::vector<std::uint64_t> first;  ///< places of listed segments
  std::vector<std::vector<remote_segment<double>>> lists;
  std::size_t turn = 0;
};

/// Subjects that rank 0 runs, and the other rank sleeps.
class subject_list {
 public:
  explicit subject_list(const world& world) : runs_(world.rank() == 0) {}

  template <class Once>
  void add(std::string name, Once once) {
    if (!runs_) return all_.push_back({std::move(name), [once](std::int64_t) {}});
    all_.push_back({std::move(name), [once](std::int64_t count) {
                      for (std::int64_t i = 0; i < count; ++i) {
                        once();
                        keep(i);
                      }
                    }});
  }
  [[nodiscard]] std::vector<subject> take() { return std::move(all_); }

 private:
  bool runs_;
  std::vector<subject> all_;
};

/// Calls on a patch, and the same by hand. `buffer` returns where it is.
template <class Buffer>
void add_copies(subject_list& to, const world& world, const std::shared_ptr<bed>& at,
                const patch_size& size, const std::string& name, Buffer buffer) {
  if (size.is_contiguous()) {
    const auto all = [=] { return std::span(buffer(), size.elements()); };
    to.add("put " + name, [=] { put(world, at->matrix, all()); });
    to.add("get " + name, [=] { get(world, at->matrix, all()); });
  } else {
    const auto there = patch(at->matrix, size.rows, size.columns, size.leading);
    to.add("put " + name, [=] { put(world, there, patch(buffer(), size.rows, size.columns)); });
    to.add("get " + name, [=] { get(world, there, patch(buffer(), size.rows, size.columns)); });
  }
  to.add("put by hand " + name,
         [=] { copy_by_hand(at->mapped, size.leading, buffer(), size.columns, size); });
  to.add("get by hand " + name,
         [=] { copy_by_hand(buffer(), size.columns, at->mapped, size.leading, size); });
}

void add_lists(subject_list& to, const world& world, const std::shared_ptr<bed>& at) {
  for (std::size_t k = 0; k < std::size(list_lengths); ++k) {
    const std::uint64_t length = list_lengths[k];
    const std::string name = list_name(length);
    const auto buffer = [at, length] {
      return std::vector<std::span<double>>{{at->buffer(), at->first.size() * length}};
    };
    to.add("put " + name, [=] { put(world, at->lists[k], buffer()); });
    to.add("put by hand " + name,
           [=] { put_list_by_hand(at->mapped, at->buffer(), at->first, length); });
    to.add("get " + name, [=] { get(world, at->lists[k], buffer()); });
    to.add("get by hand " + name,
           [=] { get_list_by_hand(at->mapped, at->buffer(), at->first, length); });
  }
}

std::vector<subject> transfers_of(world& world) {
  const auto at = std::make_shared<bed>(world);
  const auto buffer = [at] { return at->buffer(); };
  subject_list result(world);
  for (const patch_size& size : copied) add_copies(result, world, at, size, size.name, buffer);
  for (const patch_size& size : added) {
    const std::string name = size.name;
    const auto there = patch(at->matrix, size.rows, size.columns, size.leading);
    result.add("accumulate " + name,
               [=] { accumulate(world, there, 1.5, patch(buffer(), size.rows, size.columns)); });
    result.add("accumulate by hand " + name, [=] { add_by_hand(at->mapped, 1.5, buffer(), size); });
  }
  add_lists(result, world, at);
  return result.take();
}

std::string aligned_name(const patch_size& size, std::size_t offset) {
  return fmt::format("{}, {}", size.name, offset);
}

std::vector<subject> aligned_transfers_of(world& world) {
  const auto at = std::make_shared<bed>(world);
  subject_list result(world);
  for (const patch_size& size : aligned) {
    for (const std::size_t offset : offsets) {
      add_copies(result, world, at, size, aligned_name(size, offset),
                 [at, offset] { return at->buffer_at(offset); });
    }
  }
  return result.take();
}

void add_alignments(report& result, const array_effort& how) {
  figure all{"transfers-alignments",
             "put and get, by the buffer's place modulo 4096 behind the other side's", "bytes"};
  for (const std::size_t offset : offsets) all.places.push_back(std::to_string(offset));
  const round_times times = rounds_of_jobs(how.jobs(), 2, aligned_transfers_of, how.of_a_job());
  for (const patch_size& size : aligned) {
    for (const char* verb : {"put", "put by hand", "get", "get by hand"}) {
      curve line{fmt::format("{} {}", verb, size.name), {}};
      for (const std::size_t offset : offsets) {
        line.ns.push_back(median(times.of(fmt::format("{} {}", verb, aligned_name(size, offset)))));
      }
      all.curves.push_back(std::move(line));
    }
  }
  result.figures.push_back(std::move(all));
}

/// A transfer that has a row: its subjects are "VERB NAME" and "VERB by hand NAME".
struct transfer {
  std::string verb;
  std::string name;
  std::uint64_t elements;
  std::string peer;  ///< the operation of Global Arrays; may be empty
  std::optional<double> max_ratio;
  /// A memcpy of long rows, which takes as long in any library.
  bool is_memcpy = false;
};

std::vector<transfer> all_transfers() {
  constexpr double max_ratio = 1.3;
  constexpr double max_sum_ratio = 1 / 0.9;
  std::vector<transfer> all;
  for (const std::string verb : {"put", "get"}) {
    for (const patch_size& size : copied) {
      const bool is_word = size.elements() == 1;  // rma measures calls, which take longer than it
      all.push_back({verb, size.name, size.elements(), size.peer_name(verb),
                     is_word ? std::optional<double>() : max_ratio,
                     !is_word && size.columns * sizeof(double) > page});
    }
    for (const std::uint64_t length : list_lengths) {
      const std::string peer = length == 1 ? verb + "_elements" : "";
      all.push_back({verb, list_name(length), listed_segments * length, peer, {}});
    }
  }
  for (const patch_size& size : added) {
    const bool is_large = size.elements() == max_elements;
    all.push_back({"accumulate", size.name, size.elements(), size.peer_name("accumulate"),
                   is_large ? max_sum_ratio : max_ratio});
  }
  return all;
}

void compare_with_peer(row& line, const transfer& what, const ga_peers& peers) {
  constexpr double max_memcpy_ratio = 1.1;
  const auto ns = peers.over_mpi(what.peer);
  if (!ns) return;
  line.peers["GA, ARMCI-MPI"] = *ns;
  if (what.is_memcpy) {
    line.wanted.max_peer_ratio = max_memcpy_ratio;
  } else {
    line.wanted.ahead_of_peers = true;
  }
}

void add_rows(report& result, const round_times& times, const ga_peers& peers) {
  for (const transfer& t : all_transfers()) {
    row line = row_of({.row = fmt::format("{} {}", t.verb, t.name),
                       .far = fmt::format("{} {}", t.verb, t.name),
                       .limit = fmt::format("{} by hand {}", t.verb, t.name),
                       .max_ratio = t.max_ratio},
                      times);
    line.note =
        fmt::format("{:.1f} GB/s", static_cast<double>(t.elements * sizeof(double)) / line.ns);
    compare_with_peer(line, t, peers);
    if (!t.peer.empty() && line.peers.empty()) line.note += "; Global Arrays: not measured";
    result.rows.push_back(std::move(line));
  }
  for (const transfer& t : all_transfers()) {
    const auto ours = peers.over_libfar(t.peer);
    if (!ours) continue;
    row line{fmt::format("GA over libfar: {} {}", t.verb, t.name), *ours};
    compare_with_peer(line, t, peers);
    result.rows.push_back(std::move(line));
  }
}

}  // namespace

report measure_transfers_here(const settings& chosen) {
  const array_effort how{chosen.quick};
  constexpr int jobs_between_peers = 3;
  report result;
  result.measured = fmt::format(
      "transfers: doubles of a matrix in the memory of another process, which sleeps, from and to "
      "a dense buffer.\nRows of the matrix: {} KB; wide: 64 bytes more. R x C: R rows of C "
      "doubles. Limit: the same loop by hand over the\nmapped memory: memcpy of each row (of one "
      "element, a load and a store), or y += a x for this processor. In brackets:\nthe ratio's "
      "95 % confidence interval, from {} rounds of both, in {} jobs. The buffer's place modulo "
      "4096 changes\nwith each operation. Peer: Global Arrays over ARMCI-MPI of Debian, puts and "
      "accumulates with a fence.",
      usual_leading * sizeof(double) / 1024, how.rounds(), how.jobs());
  ga_peers peers(how.jobs() > 1 ? 21 : 3);
  std::vector<std::string> operations;
  for (const transfer& t : all_transfers()) {
    if (!t.peer.empty()) operations.push_back(t.peer);
  }
  round_times times;
  for (int i = 0; i < how.jobs(); ++i) {
    const std::string label = fmt::format("transfers, job {} of {}", i + 1, how.jobs());
    times.append(rounds_on_processes(2, label, transfers_of, how.of_a_job()));
    if (i % jobs_between_peers == 0) peers.run(operations);
  }
  add_rows(result, times, peers);
  add_alignments(result, how);
  result.remarks = peers.remarks();
  return result;
}

}  // namespace far::bench
