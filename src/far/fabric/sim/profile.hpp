#pragma once
// What operations cost on a machine, for the clock: docs/simulator_internals.md has the equations.

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
  picoseconds kilobyte = 0;  ///< for each further 1024 bytes
};

/// What the processor spends to start an operation.
struct start_costs {
  picoseconds put = 0;
  picoseconds get = 0;
  picoseconds amo = 0;
  picoseconds send = 0;  ///< also for replies
};

/// The most bytes of a message where orders are explored: so few KB make several messages.
inline constexpr int small_message_bytes = 1024;

struct profile {
  std::string name;
  std::string about;  ///< one line: the machine and the source of its figures

  int ranks_per_node = 1;
  int nodes_per_group = 1;  ///< nodes that share the shorter of the network's two distances

  start_costs inside;          ///< to ranks of the same node, by loads and stores
  start_costs outside;         ///< through the network interface
  picoseconds completion = 0;  ///< noticing that an operation or wait has ended
  picoseconds poll = 0;        ///< a check for progress that finds nothing

  // Rests between two looks (fabric/rest.hpp). Assumed, for all machines: Linux on a processor of
  // the last ten years.
  picoseconds spin = 40'000;           ///< a pause instruction
  picoseconds yield = 500'000;         ///< of the processor, if nobody takes it
  picoseconds oversleep = 55'000'000;  ///< a nap lasts longer by the kernel's timer slack

  std::array<link_costs, distances> links{};

  /// Inside a node, up to 8 bytes: the extra cost if another rank touched their line last.
  picoseconds line_transfer = 0;
  /// If not 0, ranks that fetch one line queue up: the time between two readers. A writer keeps it
  /// for line_transfer. And a line that several have read costs nothing to read again.
  picoseconds line_gap = 0;
  /// Inside a node: the extra cost of a signal that follows bytes.
  picoseconds payload = 0;
  /// Inside a node, for more than a cache line: the extra cost to begin copying.
  picoseconds copy = 0;
  /// Inside a node: the extra cost of each 1024 bytes that do not fit the nearest cache, which
  /// holds the first 16 KB of a transfer, from and to.
  picoseconds spilled_kilobyte = 0;
  /// The library's own code for a key of a table, in a batch at either end, or alone.
  picoseconds batch_key = 0;
  /// The extra cost of the first key of a batch, or of the only one.
  picoseconds first_key = 0;
  // The library's own code for one access to a cached array, where the rank has the right.
  picoseconds array_hit = 0;     ///< get, put
  picoseconds array_pinned = 0;  ///< a load or store through a pin
  picoseconds array_apply = 0;   ///< an operand that is combined in the thread's line

  // The interface, one per node. Operations inside a node do not use it.
  picoseconds gap = 0;  ///< between two messages, in each direction

  // At the target.
  picoseconds put_service = 0;
  picoseconds get_service = 0;
  picoseconds get_gap = 0;        ///< between two gets at one node's interface
  picoseconds get_kilobyte = 0;   ///< extra, for each 1024 bytes that are read, not written
  picoseconds swap_service = 0;   ///< compare-and-swap, swap
  picoseconds amo_service = 0;    ///< all other atomics
  picoseconds amo_gap = 0;        ///< between two atomics at one node's interface
  picoseconds same_word_gap = 0;  ///< at an interface, between two atomics on one word
  picoseconds handler = 0;        ///< running a handler or task
  picoseconds answer = 0;         ///< receiving a reply, unless it only lands
  picoseconds handoff = 0;        ///< extra, if a service thread that has slept runs the handler
  picoseconds service_tax = 0;    ///< extra, for each operation of a rank with a service thread
  picoseconds helper_atomic = 0;  ///< an atomic that a handler performs for another rank
  /// How many times as long copies by the service thread take while its rank computes.
  int helper_share = 1;

  // Memory that is not contiguous, and memory of the program.
  int descriptor_segments = 0;  ///< pieces that the interface gathers or scatters; 0: it cannot
  picoseconds descriptor = 0;   ///< posting a scatter, or a gather, instead of a send
  picoseconds descriptor_segment = 0;   ///< extra, for each of its pieces
  picoseconds registration = 0;         ///< making memory of the program known to the interface
  picoseconds registered_kilobyte = 0;  ///< extra, for each 1024 bytes of it
  picoseconds copied_kilobyte =
      0;                       ///< packing or unpacking 1024 bytes of a transfer, at either end
  picoseconds copied_row = 0;  ///< extra, for each of its rows

  /// At most, with the header of what sends it.
  int message_bytes = small_message_bytes;

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

/// The built-in profiles. profiles.cpp gives the source of each figure.
[[nodiscard]] const std::vector<profile>& known_profiles();

/// Returns the known profile of that name, or else reads a JSON file with times in ns. Values that
/// the file omits are those of the profile that it names as "base".
/// Errors: bad_argument if there is neither, and with file and key for wrong values.
[[nodiscard]] profile find_profile(const std::string& name_or_file);

/// Returns one of a profile's times by the name that it has in a file, also those of `outside`, as
/// "outside.send"; 0 for an unknown name.
[[nodiscard]] picoseconds figure_of(const profile& machine, std::string_view name) noexcept;

/// The profile in the format of such a file.
[[nodiscard]] std::string text_of(const profile& machine);

}  // namespace far::fabric::sim
