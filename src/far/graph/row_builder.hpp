#pragma once
// Builds compressed rows from arcs that come in any order, without comparing them.
//
// Method: arcs are distributed over buckets by their column as they arrive, so that a bucket fits
// the processor's cache. At the end each bucket is sorted by column, by counting; as the buckets
// come in ascending order, appending their arcs to the rows leaves every row sorted. Equal arcs
// meet at the end of a row, and ghosts come in ascending order, so neither is searched for.
// Memory: an arc is in a bucket (8 bytes, or 16 with a weight) or in its row (4 or 12); buckets are
// freed one by one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "far/graph/csr_graph.hpp"

namespace far::graphs {

/// An arc of an own vertex. Number: 32 bits for graphs of up to 2^32 vertices, else 64.
template <class Number, bool weighted>
struct row_arc {
  std::uint32_t row = 0;  ///< the own vertex
  Number column = 0;      ///< number of the other end in the whole graph
};

template <class Number>
struct row_arc<Number, true> {
  std::uint32_t row = 0;
  Number column = 0;
  double weight = 0;
};

static_assert(sizeof(row_arc<std::uint32_t, false>) == 8);
static_assert(sizeof(row_arc<std::uint32_t, true>) == 16);

/// A list of trivial values in blocks of 4 KB.
template <class T>
class block_list {
 public:
  void push_back(const T& value) {
    if (next_ == end_) grow();
    *next_++ = value;
  }

  [[nodiscard]] std::size_t size() const {
    return blocks_.size() * per_block - static_cast<std::size_t>(end_ - next_);
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& block : blocks_) {
      const T* const end = &block == &blocks_.back() ? next_ : block.get() + per_block;
      for (const T* at = block.get(); at != end; ++at) visit(*at);
    }
  }

  void clear() { *this = {}; }

 private:
  static constexpr std::size_t per_block = 4096 / sizeof(T);

  void grow() {
    blocks_.push_back(std::make_unique_for_overwrite<T[]>(per_block));
    next_ = blocks_.back().get();
    end_ = next_ + per_block;
  }

  T* next_ = nullptr;
  T* end_ = nullptr;
  std::vector<std::unique_ptr<T[]>> blocks_;
};

/// The range of vertices that a rank owns, of all.
struct own_range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t vertices = 0;  ///< of the whole graph
};

/// Not thread-safe.
template <class Arc>
class row_builder {
 public:
  /// `arcs`: about how many will be added; it only affects the speed.
  row_builder(const own_range& own, std::uint64_t arcs);

  void add(const Arc& arc) {
    ++counts_[arc.row];
    buckets_[arc.column >> shift_].push_back(arc);
  }

  /// Returns the rows, and their ghosts in `ghosts`. Of equal arcs it keeps the one with the
  /// smallest weight, unless `keep_duplicates`. The builder is unusable afterwards.
  /// Errors: bad_argument if own vertices and ghosts exceed 2^32.
  [[nodiscard]] adjacency finish(bool keep_duplicates, std::vector<std::uint64_t>& ghosts);

 private:
  using arcs = std::vector<Arc>;

  void sort_bucket(std::size_t bucket, arcs& sorted);
  void append(const arcs& sorted, bool keep_duplicates, adjacency& rows,
              std::vector<std::uint64_t>& ghosts);
  void close_gaps(adjacency& rows) const;

  own_range own_;
  int shift_ = 0;
  std::vector<std::uint64_t> counts_;  // arcs of each row; later, where its next arc will be
  std::vector<block_list<Arc>> buckets_;
  std::vector<std::uint32_t> begins_;  // scratch memory of sort_bucket
};

/// Merges the ghosts of the second into those of the first, which both refer to then.
void share_ghosts(std::uint64_t own, adjacency& first, std::vector<std::uint64_t>& first_ghosts,
                  adjacency& second, const std::vector<std::uint64_t>& second_ghosts);

}  // namespace far::graphs
