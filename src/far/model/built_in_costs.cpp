// Costs that were measured on other machines, for use where nothing was measured. They are good for
// orders of magnitude.

#include <array>
#include <string_view>

#include "far/model/known_costs.hpp"

namespace far::model {
namespace {

struct built_in {
  std::string_view fabric;
  costs_by_distance costs;
};

using figures = std::array<double, components>;

constexpr costs_by_distance by_distance(const figures& self, const figures& same_node,
                                        const figures& other_node) {
  return {measured_costs{{self}, 0}, measured_costs{{same_node}, 0},
          measured_costs{{other_node}, 0}};
}

/// For fabrics of one machine, without a network.
constexpr costs_by_distance near(const figures& self, const figures& same_node) {
  return {measured_costs{{self}, 0}, measured_costs{{same_node}, 0}};
}

// W, R, A_fao, A_hot, A_cas, A_cas*, M, l, as printed by far model calibrate of a release build.
// shm: two processes on a virtual machine of two cores (AMD EPYC). ucx: the same, and TCP over the
// loopback between nodes; networks with RDMA take a tenth. sim: 4 ranks, two on a node; the laptop
// has one node.
constexpr std::array<built_in, 9> all{{
    {"shm", near({2.7, 8.9, 11, 8.2, 12, 130, 220, 6.4}, {4.2, 48, 51, 8.2, 51, 130, 700, 6.4})},
    {"ucx",
     by_distance({2.7, 8.9, 11, 8.2, 12, 130, 320, 6.4}, {4.2, 48, 51, 8.2, 51, 130, 970, 6.4},
                 {16700, 16200, 15100, 10800, 16000, 16000, 19500, 6.4})},
    {"sim/cori-aries",
     by_distance({151, 151, 201, 201, 201, 2030, 1100, 0}, {151, 151, 201, 201, 201, 2040, 1300, 0},
                 {3040, 3740, 3940, 9990, 3840, 3840, 3840, 0})},
    {"sim/piz-daint",
     by_distance({151, 151, 201, 201, 201, 2030, 1100, 0}, {151, 151, 201, 201, 201, 2040, 1300, 0},
                 {3040, 3740, 3940, 9990, 3840, 3840, 3840, 0})},
    {"sim/ib-2004-ia32", by_distance({408, 408, 508, 508, 508, 14700, 3410, 0},
                                     {410, 410, 510, 510, 510, 14800, 3810, 0},
                                     {6210, 12300, 17100, 17100, 17100, 17200, 9830, 0})},
    {"sim/ib-2004-ia64", by_distance({408, 408, 508, 508, 508, 14700, 3410, 0},
                                     {410, 410, 510, 510, 510, 14800, 3810, 0},
                                     {7450, 16000, 17100, 17100, 17100, 17200, 10900, 0})},
    {"sim/ib-2006", by_distance({404, 404, 504, 504, 504, 1680, 17100, 0},
                                {405, 405, 505, 505, 505, 1680, 17300, 0},
                                {1910, 2020, 2410, 2410, 2410, 2480, 34700, 0})},
    {"sim/cx4-100g", by_distance({50.7, 50.7, 60.7, 60.7, 60.7, 196, 611, 0},
                                 {50.8, 50.8, 60.8, 60.8, 60.8, 196, 671, 0},
                                 {1850, 2000, 2100, 2100, 2100, 2100, 2350, 0})},
    {"sim/laptop", near({2.41, 1.21, 3.91, 78.1, 3.91, 78.1, 304, 0},
                        {62.4, 61.9, 63.5, 78.1, 64.1, 78.1, 419, 0})},
}};

const costs_by_distance* find(std::string_view fabric) noexcept {
  for (const built_in& known : all) {
    if (known.fabric == fabric) return &known.costs;
  }
  return nullptr;
}

}  // namespace

const costs_by_distance& built_in_costs(std::string_view fabric) noexcept {
  if (const auto* const known = find(fabric)) return *known;
  return *find(most_similar(fabric));
}

std::vector<std::string_view> built_in_fabrics() {
  std::vector<std::string_view> names;
  for (const built_in& known : all) names.push_back(known.fabric);
  return names;
}

}  // namespace far::model
