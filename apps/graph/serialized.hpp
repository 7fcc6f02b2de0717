#pragma once
// Serialized graphs of the GAP Benchmark Suite, .sg and .wsg (github.com/sbeamer/gapbs, reader.h
// and writer.h): compressed rows of arcs, in the machine's byte order (little-endian here),
// unaligned:
//
//   directed (1 byte) | arcs (8) | vertices (8)
//   offsets (8 x (vertices + 1)) | neighbours (arcs x 4; in a .wsg arcs x (4 + a weight of 4))
//   only if directed: offsets and neighbours once more
//
// The first rows are those of outgoing arcs; the second those of incoming ones. An undirected graph
// has each edge in both of its vertices' rows. Vertices are 0 .. vertices - 1, all of them in the
// graph; neighbours and weights are signed integers of 32 bits.

#include <cstdint>
#include <string>

#include "apps/common/raw_file.hpp"

namespace far::apps {

/// The head of such a file, and where its parts are.
struct serialized_layout {
  bool directed = false;
  bool weighted = false;
  std::uint64_t arcs = 0;
  std::uint64_t vertices = 0;

  static constexpr std::uint64_t head_bytes = 17;
  static constexpr std::uint64_t max_vertices = std::uint64_t{1} << 31;

  /// Of a neighbour, with its weight.
  [[nodiscard]] std::uint64_t entry_bytes() const { return weighted ? 8 : 4; }
  [[nodiscard]] std::uint64_t rows_bytes() const {
    return 8 * (vertices + 1) + arcs * entry_bytes();
  }
  /// Where the offsets of the outgoing rows are, or of the incoming ones.
  [[nodiscard]] std::uint64_t offsets_at(bool incoming) const {
    return head_bytes + (directed && incoming ? rows_bytes() : 0);
  }
  [[nodiscard]] std::uint64_t entries_at(bool incoming) const {
    return offsets_at(incoming) + 8 * (vertices + 1);
  }
  [[nodiscard]] std::uint64_t file_bytes() const {
    return head_bytes + rows_bytes() * (directed ? 2 : 1);
  }

  friend bool operator==(const serialized_layout&, const serialized_layout&) = default;
};

/// Reads the head, and checks it against the file's size, so that nothing is allocated for a number
/// that is wrong. Errors: input_error.
[[nodiscard]] serialized_layout read_layout(const raw_file& file, bool weighted);

/// Reads `count` numbers of 64 bits from `offset`. Errors: input_error if the file became shorter.
void read_numbers(const raw_file& file, std::uint64_t offset, std::uint64_t count,
                  std::uint64_t* into);

}  // namespace far::apps
