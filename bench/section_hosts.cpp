// Sections and lists over TCP between two hosts (rows D2, D3 and D6): many segments compared with
// one contiguous transfer of as many bytes, by the protocol that is chosen, and by each of them.
// far runs this benchmark again on the hosts: in a job, it runs its ranks' part.

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/array.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/two_hosts.hpp"

namespace far::bench {
namespace {

constexpr int limit_s = 300;  // of the run on the hosts

/// A shape: rows of so many doubles, and how much longer than contiguous it may take.
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

/// The row, its limit, and the goal, if it is one of those with goals.
struct compared {
  std::string row;
  std::string limit;
  std::optional<double> max_ratio;
};

std::vector<compared> all_compared() {
  std::vector<compared> result;
  for (const shape& s : shapes) {
    for (const std::string_view operation : operations) {
      const bool adds = operation == "accumulate";
      for (const auto& [protocol, how] : protocols) {
        // Accumulates are not assisted, and one by one they are not meant to be fast.
        const bool is_buffered =
            how == section_protocol::packed || how == section_protocol::pipelined;
        if (adds && (s.is_list || (how != section_protocol::automatic && !is_buffered))) continue;
        const auto goal = adds ? s.max_accumulate_ratio : s.max_ratio;
        result.push_back({fmt::format("{} {}{}", operation, s.name, protocol),
                          fmt::format("{} {} bytes", adds ? "put" : operation, s.elements() * 8),
                          how == section_protocol::automatic ? goal : std::nullopt});
      }
    }
  }
  return result;
}

/// The last rank's memory, and dense memory of this rank that the allocator gave.
struct bed {
  explicit bed(const world& view) {
    std::uint64_t most = 0;
    std::uint64_t most_there = 0;
    for (const shape& s : shapes) {
      most = std::max(most, s.elements());
      most_there = std::max(most_there, s.rows * (s.columns + gap));
    }
    there = allocate<double>(view, most_there).on(view.size() - 1);
    here = local_span(view, allocate_local<double>(view, most), most);
  }

  ptr<double> there;
  std::span<double> here;
};

template <class There, class Here>
void transfer(const world& view, std::string_view operation, const There& there, const Here& here,
              section_protocol how) {
  if (operation == "put") {
    put(view, there, here, how);
  } else if (operation == "get") {
    get(view, there, here, how);
  } else {
    accumulate(view, there, 1.5, here, how);
  }
}

template <class Once>
subject on_first(const world& view, std::string name, Once once) {
  if (view.rank() != 0) return {std::move(name), [once](std::int64_t) {}};
  return {std::move(name), [once](std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i) once();
          }};
}

std::vector<subject> subjects_of(world& view) {
  const auto at = std::make_shared<bed>(view);
  std::vector<subject> result;
  const auto add = [&](std::string name, auto once) {
    const bool is_new = std::ranges::find(result, name, &subject::name) == result.end();
    if (is_new) result.push_back(on_first(view, std::move(name), once));
  };
  for (const shape& s : shapes) {
    const std::uint64_t n = s.elements();
    add(fmt::format("put {} bytes", n * 8),
        [view, at, n] { put(view, at->there, at->here.first(n)); });
    add(fmt::format("get {} bytes", n * 8),
        [view, at, n] { get(view, at->there, at->here.first(n)); });
    std::vector<remote_segment<double>> list;
    for (std::uint64_t i = 0; i < s.rows; ++i) {
      list.push_back({at->there + static_cast<std::int64_t>(i * (s.columns + gap)), s.columns});
    }
    for (const std::string_view operation : operations) {
      for (const auto& [protocol, how] : protocols) {
        const std::string name = fmt::format("{} {}{}", operation, s.name, protocol);
        if (s.is_list) {
          add(name, [view, at, list, n, operation, how] {
            transfer(view, operation, list, std::vector<std::span<double>>{at->here.first(n)}, how);
          });
        } else {
          add(name, [view, at, s, operation, how] {
            transfer(view, operation, patch(at->there, s.rows, s.columns, s.columns + gap),
                     patch(at->here.data(), s.rows, s.columns), how);
          });
        }
      }
    }
  }
  return result;
}

report measure_part(bool quick) {
  report result;
  run([&](world& view) {
    if (view.size() != 2) throw bad_argument("the benchmark section-hosts wants 2 ranks");
    const round_times times =
        rounds_in_job(view, "section-hosts", subjects_of(view),
                      {.rounds = quick ? 6 : 15, .round_ms = quick ? 0.1 : 5});
    if (view.rank() != 0) return;
    result.measured = fmt::format("section-hosts: two ranks of a job; {}.", view.fabric().name());
    for (const compared& c : all_compared()) {
      result.rows.push_back(row_of({c.row, c.row, c.limit, c.max_ratio}, times));
    }
  });
  return result;
}

report measure_section_hosts(const settings& chosen) {
  check_settings("section-hosts", chosen);
  if (fabric::in_job()) return measure_part(chosen.quick);

  report result;
  result.measured =
      "section-hosts: sections and lists over TCP between two network namespaces, each with a rank "
      "that is not bound\nto a core; dense memory of the allocator here, rows 64 bytes apart "
      "there. "
      "Limit: one contiguous transfer of as\nmany bytes (of accumulates, a put). In brackets: the "
      "ratio's 95 % confidence interval.";
  const two_hosts hosts(limit_s);
  if (const std::string why = hosts.obstacle(); !why.empty()) {
    result.remarks.push_back(fmt::format("Not measured: {}.", why));
    return result;
  }
  const auto told =
      hosts.run_benchmark("section-hosts", chosen.quick ? std::vector<std::string>{"--quick"}
                                                        : std::vector<std::string>{});
  const std::vector<compared> all = all_compared();
  if (told.size() != all.size()) throw error("far on two hosts measured something else");
  for (std::size_t i = 0; i < told.size(); ++i) {
    row line{all[i].row, told[i].at("ns"), told[i].at("limit_ns").get<double>()};
    line.paired = interval{told[i].at("ratio_low"), told[i].at("ratio"), told[i].at("ratio_high")};
    line.wanted.max_ratio = all[i].max_ratio;
    result.rows.push_back(std::move(line));
  }
  return result;
}

const benchmark registered("section-hosts",
                           "sections between two hosts, against contiguous transfers",
                           measure_section_hosts);

}  // namespace
}  // namespace far::bench
