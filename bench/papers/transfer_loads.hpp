#pragma once
// Transfers between two nodes: their time, and how much of it a computation hides
// (armci-host-assisted, sections 4 and 5).

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/papers/transfer_jobs.hpp"
#include "far/far.hpp"

namespace far::bench {

/// What one transfer moves, of a matrix of doubles: `rows` rows of `row_bytes` bytes.
struct transfer_shape {
  std::uint64_t rows = 1;
  std::uint64_t row_bytes = 8;

  [[nodiscard]] std::uint64_t bytes() const noexcept { return rows * row_bytes; }
};
/// A row of bytes, and the square of doubles that is closest to `bytes` from below.
[[nodiscard]] transfer_shape contiguous(std::uint64_t bytes) noexcept;
[[nodiscard]] transfer_shape square(std::uint64_t bytes) noexcept;

/// What the other node's rank does meanwhile.
enum class target { waits, computes };

/// How to get: by a protocol of sections.
struct get_load {
  section_protocol how = section_protocol::automatic;
  target meanwhile = target::waits;
};

/// Nanoseconds of a blocking get of each shape.
[[nodiscard]] std::vector<double> get_times(transfer_jobs& on, const std::string& what,
                                            const std::vector<transfer_shape>& shapes,
                                            const get_load& load);

/// How much of a get is hidden by a computation that takes as long as the blocking get, in percent:
/// the time of both one after the other, less that of both at the same time, by that of the get.
struct overlap {
  std::vector<double> percent;
  std::vector<double> exposed_ns;  ///< the rest, of each shape
};
[[nodiscard]] overlap get_overlap(transfer_jobs& on, const std::string& what,
                                  const std::vector<transfer_shape>& shapes, section_protocol how);

/// Nanoseconds of a blocking far::put or far::get of contiguous memory, or of each of many that are
/// in flight at the same time.
enum class plain { put, get, many_puts, many_gets };
[[nodiscard]] std::vector<double> plain_times(transfer_jobs& on, const std::string& what,
                                              const std::vector<transfer_shape>& shapes, plain how);

/// Nanoseconds of a message, of many in flight, from one rank to the other. Rows are packed and
/// unpacked by processors, as MPI's datatypes are.
[[nodiscard]] std::vector<double> message_times(transfer_jobs& on, const std::string& what,
                                                const std::vector<transfer_shape>& shapes);
/// Half of the time of a message of 8 bytes there and back.
[[nodiscard]] double message_latency(transfer_jobs& on);

/// Fetch-and-add on 8 bytes: by the network interface, and by the other rank's helper.
struct atomic_times {
  double by_interface = 0;
  double by_helper = 0;
};
[[nodiscard]] atomic_times atomics(transfer_jobs& on);

/// What registering memory of the program takes, and copying as much, in ns.
struct memory_times {
  std::vector<double> registering;
  std::vector<double> copying;
};
[[nodiscard]] memory_times registrations_and_copies(transfer_jobs& on,
                                                    const std::vector<std::uint64_t>& bytes);

}  // namespace far::bench
