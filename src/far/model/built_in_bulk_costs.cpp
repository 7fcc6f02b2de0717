// The costs of large transfers on other machines, for use where nothing was measured.

#include <algorithm>
#include <array>
#include <string_view>

#include "far/model/known_costs.hpp"

namespace far::model {
namespace {

using bulk_figures = std::array<double, bulk_cost_kinds>;

struct built_in_bulk {
  std::string_view fabric;
  bulk_figures near;   // inside a node
  bulk_figures apart;  // over a network; nothing where there is none
};

// Per byte of a put and of a get, one more put and get, per byte of small ones, one more message,
// per byte and row of a copy; where one rank transfers at a time, so some are below what
// far model calibrate prints. The machines are those of built_in_costs.cpp.
constexpr std::array<built_in_bulk, 9> all_bulk{{
    {"shm", {0.02, 0.02, 13, 12, 0.02, 0.02, 560, 0.02, 0.6}, {}},
    {"ucx",
     {0.02, 0.02, 13, 12, 0.02, 0.02, 560, 0.02, 0.6},
     {0.5, 0.42, 310, 280, 0.3, 0.26, 1440, 0.02, 0.6}},
    {"sim/cori-aries",
     {0.12, 0.12, 151, 151, 0.12, 0.12, 550, 0, 0},
     {0.1, 0.1, 400, 400, 0, 0, 800, 0, 0}},
    {"sim/piz-daint",
     {0.12, 0.12, 151, 151, 0.12, 0.12, 550, 0, 0},
     {0.1, 0.1, 400, 400, 0, 0, 800, 0, 0}},
    {"sim/ib-2004-ia32",
     {1.25, 1.25, 408, 408, 1.25, 1.25, 1600, 1.07, 20},
     {1.2, 1.31, 1000, 1530, 0.23, 0, 2500, 1.07, 20}},
    {"sim/ib-2004-ia64",
     {1.25, 1.25, 408, 408, 1.25, 1.25, 1600, 0.88, 20},
     {1.37, 1.45, 1000, 2140, 0.39, 0, 2500, 0.88, 20}},
    {"sim/ib-2006",
     {0.67, 0.67, 404, 404, 0.67, 0.67, 10800, 0, 0},
     {1.1, 1.1, 300, 300, 0.8, 0.8, 16200, 0, 0}},
    {"sim/cx4-100g",
     {0.1, 0.1, 50, 50, 0.1, 0.1, 250, 0, 0},
     {0.08, 0.08, 150, 150, 0, 0, 350, 0, 0}},
    {"sim/laptop", {0.014, 0.014, 2.3, 1.1, 0.014, 0.014, 200, 0, 0}, {}},
}};

}  // namespace

bulk_costs built_in_bulk_costs(std::string_view fabric, distance apart) noexcept {
  const auto find = [](std::string_view name) {
    return std::ranges::find(all_bulk, name, &built_in_bulk::fabric);
  };
  const std::string_view similar = most_similar(fabric);
  auto found = find(fabric);
  if (found == all_bulk.end()) found = find(similar);
  if (apart != distance::other_node) return {found->near};
  return {found->apart[0] > 0 ? found->apart : find(similar)->apart};
}

}  // namespace far::model
