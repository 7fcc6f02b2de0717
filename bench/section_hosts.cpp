// Sections and lists over TCP between two hosts (rows D2, D3 and D6): many segments compared with
// one contiguous transfer of as many bytes, by the protocol that is chosen, and by each of them.
// far runs this benchmark again on the hosts: in a job, it runs its ranks' part.

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/array.hpp"
#include "bench/harness/registry.hpp"
#include "bench/pairs_on_hosts.hpp"

namespace far::bench {
namespace {

/// Rows of doubles, and how many times as long as a contiguous transfer they may take.
struct shape {
  std::string_view name;
  std::uint64_t rows;
  std::uint64_t columns;
  bool is_list;
  std::optional<double> max_ratio;
  std::optional<double> max_accumulate_ratio;

  [[nodiscard]] std::uint64_t elements() const noexcept { return rows * columns; }
};
constexpr shape shapes[] = {
    {"1000 x 64 bytes", 1000, 8, false, 3, {}},
    {"list of 1000 x 64 bytes", 1000, 8, true, 3, {}},
    {"1024 x 1 KB", 1024, 128, false, 1 / .7, 1 / .5},
    {"16 x 64 KB", 16, 8192, false, 1 / .7, 1 / .5},
};
constexpr std::uint64_t gap = 8;  // elements between two rows
constexpr std::string_view operations[] = {"put", "get", "accumulate"};
constexpr std::pair<std::string_view, section_protocol> protocols[] = {
    {"", section_protocol::automatic},
    {", per segment", section_protocol::per_segment},
    {", packed", section_protocol::packed},
    {", pipelined", section_protocol::pipelined},
    {", host-assisted", section_protocol::host_assisted},
};

/// What is measured: a shape, moved by a protocol.
struct transfer {
  shape moved;
  std::string_view operation;
  std::string_view suffix;  ///< of the name
  section_protocol how;

  [[nodiscard]] bool adds() const noexcept { return operation == "accumulate"; }
  [[nodiscard]] std::string name() const {
    return fmt::format("{} {}{}", operation, moved.name, suffix);
  }
  /// One contiguous transfer of as many bytes; of an accumulate, a put.
  [[nodiscard]] std::string_view limit_operation() const { return adds() ? "put" : operation; }
  [[nodiscard]] std::string limit() const {
    return fmt::format("{} {} bytes", limit_operation(), moved.elements() * sizeof(double));
  }
  /// Only the automatic choice has goals.
  [[nodiscard]] std::optional<double> max_ratio() const {
    if (how != section_protocol::automatic) return {};
    return adds() ? moved.max_accumulate_ratio : moved.max_ratio;
  }
};

std::vector<transfer> all_transfers() {
  std::vector<transfer> result;
  for (const shape& s : shapes) {
    for (const std::string_view operation : operations) {
      for (const auto& [suffix, how] : protocols) {
        const transfer t{s, operation, suffix, how};
        // Accumulates are not assisted, and one by one they are not meant to be fast.
        const bool is_slow =
            how == section_protocol::per_segment || how == section_protocol::host_assisted;
        if (!t.adds() || (!s.is_list && !is_slow)) result.push_back(t);
      }
    }
  }
  return result;
}

/// The last rank's memory, and dense memory of this rank that the allocator gave.
struct bed {
  explicit bed(const world& world) {
    std::uint64_t max_here = 0;
    std::uint64_t max_there = 0;
    for (const shape& s : shapes) {
      max_here = std::max(max_here, s.elements());
      max_there = std::max(max_there, s.rows * (s.columns + gap));
    }
    there = allocate<double>(world, max_there).on(world.size() - 1);
    here = local_span(world, allocate_local<double>(world, max_here), max_here);
  }

  ptr<double> there;
  std::span<double> here;
};

template <class There, class Here>
void run_once(const world& world, std::string_view operation, const There& there, const Here& here,
              section_protocol how) {
  if (operation == "put") {
    put(world, there, here, how);
  } else if (operation == "get") {
    get(world, there, here, how);
  } else {
    accumulate(world, there, 1.5, here, how);
  }
}

/// On rank 0; the other rank sleeps meanwhile.
template <class Once>
subject on_first(const world& world, std::string name, Once once) {
  if (world.rank() != 0) return {std::move(name), [once](std::int64_t) {}};
  return {std::move(name), [once](std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i) once();
          }};
}

subject subject_of(const world& world, const std::shared_ptr<bed>& at, const transfer& t) {
  const shape& s = t.moved;
  if (!s.is_list) {
    return on_first(world, t.name(), [=] {
      run_once(world, t.operation, patch(at->there, s.rows, s.columns, s.columns + gap),
               patch(at->here.data(), s.rows, s.columns), t.how);
    });
  }
  std::vector<remote_segment<double>> list;
  for (std::uint64_t i = 0; i < s.rows; ++i) {
    list.push_back({at->there + static_cast<std::int64_t>(i * (s.columns + gap)), s.columns});
  }
  return on_first(world, t.name(), [=] {
    const std::vector<std::span<double>> here{at->here.first(s.elements())};
    run_once(world, t.operation, list, here, t.how);
  });
}

subject limit_of(const world& world, const std::shared_ptr<bed>& at, const transfer& t) {
  const std::uint64_t n = t.moved.elements();
  if (t.limit_operation() == "put") {
    return on_first(world, t.limit(), [=] { put(world, at->there, at->here.first(n)); });
  }
  return on_first(world, t.limit(), [=] { get(world, at->there, at->here.first(n)); });
}

std::vector<subject> subjects_of(const world& world) {
  const auto at = std::make_shared<bed>(world);
  std::vector<subject> result;
  for (const transfer& t : all_transfers()) {
    const bool is_known = std::ranges::find(result, t.limit(), &subject::name) != result.end();
    if (!is_known) result.push_back(limit_of(world, at, t));
    result.push_back(subject_of(world, at, t));
  }
  return result;
}

round_times measure(world& world, bool quick) {
  return rounds_in_job(world, "section-hosts", subjects_of(world),
                       {.rounds = quick ? 6 : 15, .round_ms = quick ? 0.1 : 5});
}

report measure_section_hosts(const settings& chosen) {
  pairs_on_hosts what{
      .name = "section-hosts",
      .measured =
          "section-hosts: sections and lists over TCP between two network namespaces, each with a "
          "rank that is not bound\nto a core; dense memory of the allocator here, rows 64 bytes "
          "apart there. Limit: one contiguous transfer of as\nmany bytes (of accumulates, a put). "
          "In brackets: the ratio's 95 % confidence interval.",
      .limit_s = 300,
      .rows = {},
      .measure = measure};
  for (const transfer& t : all_transfers()) {
    what.rows.push_back({t.name(), t.name(), t.limit(), t.max_ratio()});
  }
  return measure_on_hosts(what, chosen);
}

const benchmark registered("section-hosts",
                           "sections between two hosts, against contiguous transfers",
                           measure_section_hosts);

}  // namespace
}  // namespace far::bench
