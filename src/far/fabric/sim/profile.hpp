#pragma once
// What a machine costs, as the clock wants to know it. docs/simulator.md gives the equations.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "far/fabric/sim/event.hpp"

namespace far::fabric::sim {

/// How far apart two ranks are.
enum class distance : std::uint8_t { self, node, group, machine };
inline constexpr int distances = 4;

/// The network between two ranks at one distance.
struct link_costs {
  picoseconds latency = 0;   ///< one way, of the first byte
  picoseconds kilobyte = 0;  ///< each 1024 bytes more take so long
};

/// What the processor that starts an operation spends on it.
struct start_costs {
  picoseconds put = 0;
  picoseconds get = 0;
  picoseconds amo = 0;
  picoseconds send = 0;  ///< and reply
};

struct profile {
  std::string name;
  std::string about;  ///< one line: which machine, after which source

  int ranks_per_node = 1;
  int nodes_per_group = 1;  ///< what shares the shorter of the network's two distances

  start_costs inside;          ///< to ranks of the same node, by loads and stores
  start_costs outside;         ///< by way of the network interface
  picoseconds completion = 0;  ///< noticing that an operation or wait has ended
  picoseconds poll = 0;        ///< a look for progress that finds nothing

  std::array<link_costs, distances> links{};

  /// Inside a node, for 8 bytes at most: the more if another rank has touched their line last.
  picoseconds line_transfer = 0;
  /// Inside a node: the more for a signal that comes after bytes.
  picoseconds payload = 0;
  /// Inside a node, for more than a cache line: the more to begin copying.
  picoseconds copy = 0;
  /// Inside a node: the more for each 1024 bytes that the nearest cache has no room for, which
  /// holds the first 16 KB of a transfer, from and to.
  picoseconds spilled_kilobyte = 0;
  /// The library's own code for a key of a table, in a batch at either end, or alone.
  picoseconds batch_key = 0;
  /// The more for the first of them.
  picoseconds first_key = 0;

  // The interface, one per node, which inside operations do not use.
  picoseconds gap = 0;  ///< between two messages, each way

  // At the target.
  picoseconds put_service = 0;
  picoseconds get_service = 0;
  picoseconds get_kilobyte = 0;   ///< the more for each 1024 bytes that are read, not written
  picoseconds swap_service = 0;   ///< compare-and-swap, swap
  picoseconds amo_service = 0;    ///< all other atomics
  picoseconds amo_gap = 0;        ///< between two atomics of one node's interface
  picoseconds same_word_gap = 0;  ///< at an interface, between two atomics on one word
  picoseconds handler = 0;        ///< running a handler or task
  picoseconds answer = 0;         ///< taking in a reply
  picoseconds handoff = 0;        ///< the more, if the service thread runs it
  picoseconds service_tax = 0;    ///< the more for each operation of a rank with a service thread

  [[nodiscard]] distance between(int from, int to) const noexcept {
    if (from == to) return distance::self;
    const int a = from / ranks_per_node;
    const int b = to / ranks_per_node;
    if (a == b) return distance::node;
    return a / nodes_per_group == b / nodes_per_group ? distance::group : distance::machine;
  }
  [[nodiscard]] const link_costs& link(distance d) const noexcept {
    return links[static_cast<std::size_t>(d)];
  }
};

/// The profiles that libfar has. Each figure's source stands beside it in profiles.cpp.
[[nodiscard]] const std::vector<profile>& known_profiles();

/// A known profile by its name, or else one from a file: JSON, times in ns, and what it does not
/// say as in the profile that it names as "base".
/// Errors: bad_argument for a name that is neither, and with file and key for wrong values.
[[nodiscard]] profile find_profile(const std::string& name_or_file);

/// One of a profile's figures by the name that it has in a file; 0 for a name that is none.
[[nodiscard]] picoseconds figure_of(const profile& machine, std::string_view name) noexcept;

/// The profile as such a file.
[[nodiscard]] std::string text_of(const profile& machine);

}  // namespace far::fabric::sim
