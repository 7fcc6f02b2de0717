#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <vector>

#include "far/fabric/fabric.hpp"
#include "far/fabric/job.hpp"
#include "far/fabric/shm/layout.hpp"

namespace far::fabric::shm {

/// The mapping that all ranks of a job share, or all ranks of one of its nodes. The memory has no
/// name (memfd), so nothing is left behind however the job ends. Processes inherit the descriptor;
/// threads share the mapping. Pages cost memory only once touched, so capacities may be generous.
class region {
 public:
  /// Makes the memory for a job. Errors: bad_argument, fabric_error.
  static region create(const geometry& shape);
  /// Makes the memory of one node of a job that launchers of several machines start together. It
  /// holds that node's ranks, in their order, and a roster of all. `nodes`: the node of each rank.
  static region create(geometry shape, const std::vector<std::int32_t>& nodes, int own_node);
  /// Maps the memory behind an inherited descriptor, after checking that it belongs to a job of
  /// this build. Errors: fabric_error.
  static region open(int descriptor);

  /// For a job of several mappings: sets the node of each rank, and the node of this mapping. It
  /// holds that node's ranks, in their order. Without this call it holds all ranks.
  void place(std::vector<std::int32_t> nodes, int own_node);

  region(region&& other) noexcept;
  region& operator=(region&&) = delete;
  ~region();

  /// Keeps the addresses mapped, to memory of this process once the region is gone.
  [[nodiscard]] std::shared_ptr<const void> keep_mapped() const noexcept { return pages_; }

  /// Zeroes the segments of a rank that has left, for its next job, and frees their memory.
  void clear_segments(int rank) const noexcept;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] job_header& header() const noexcept {
    return *reinterpret_cast<job_header*>(base_);
  }
  /// The load of this machine, in this mapping or in another.
  [[nodiscard]] machine_load& load() const noexcept { return *load_; }
  /// Counts the load of this machine in `other`, which must exist for as long.
  void share_load(const region& other) noexcept { load_ = other.load_; }
  [[nodiscard]] const geometry& shape() const noexcept { return header().shape; }
  /// Number of ranks of the job; shape().ranks of them are in this mapping.
  [[nodiscard]] int job_ranks() const noexcept {
    return nodes_.empty() ? shape().ranks : static_cast<int>(nodes_.size());
  }
  [[nodiscard]] int node_of(int rank) const noexcept {
    if (!nodes_.empty()) return nodes_[static_cast<std::size_t>(rank)];
    return shape().ranks_per_node == 0 ? 0 : rank / shape().ranks_per_node;
  }
  /// Whether a rank is in this mapping.
  [[nodiscard]] bool holds(int rank) const noexcept {
    return rank >= 0 && rank < job_ranks() &&
           (slots_.empty() || slots_[static_cast<std::size_t>(rank)] >= 0);
  }
  /// Requires that shape().job_ranks is not 0.
  [[nodiscard]] roster_entry& roster(int rank) const noexcept {
    return reinterpret_cast<roster_entry*>(area_at(shape().ranks))[rank];
  }
  [[nodiscard]] rank_block& rank(int rank) const noexcept {
    return *reinterpret_cast<rank_block*>(area(rank));
  }
  /// The block of the rank with number `slot` among those in this mapping.
  [[nodiscard]] rank_block& at(int slot) const noexcept {
    return *reinterpret_cast<rank_block*>(area_at(slot));
  }
  /// Where this place of the mapping lies in the memory that the descriptor names.
  [[nodiscard]] std::size_t offset_of(const std::byte* place) const noexcept {
    return static_cast<std::size_t>(place - base_);
  }
  /// Start of the rank's segments.
  [[nodiscard]] std::byte* window(int rank) const noexcept { return area(rank) + control_bytes; }
  [[nodiscard]] segment_layout layout() const noexcept;

 private:
  struct pages;

  region(int descriptor, std::shared_ptr<pages> memory, std::size_t area_bytes) noexcept;
  static region map(int descriptor, const geometry& shape);
  [[nodiscard]] std::byte* area_at(int slot) const noexcept {
    return base_ + first_area + static_cast<std::size_t>(slot) * area_bytes_;
  }
  [[nodiscard]] std::byte* area(int rank) const noexcept {
    return area_at(slots_.empty() ? rank : slots_[static_cast<std::size_t>(rank)]);
  }

  int descriptor_;
  std::shared_ptr<pages> pages_;  // null: moved from
  std::byte* base_;
  std::size_t bytes_;
  std::size_t area_bytes_;
  machine_load* load_;
  std::vector<std::int32_t> nodes_;  // by rank; empty: one mapping holds all ranks
  std::vector<std::int32_t> slots_;  // by rank; -1 for ranks of other nodes
};

/// Returns a random key for a job. Errors: fabric_error.
std::uint64_t random_key();

// geometry.cpp
/// Checks the options and returns their geometry, with values of FAR_* variables, and with defaults
/// that fit the limits on this process. Errors: bad_argument, also if requested sizes exceed a
/// limit.
geometry geometry_of(const job_options& options);
/// Bytes of the mapping, and of one rank in it.
[[nodiscard]] std::size_t bytes_of(const geometry& shape) noexcept;
[[nodiscard]] std::size_t area_bytes_of(const geometry& shape) noexcept;

/// Publishes the first failure of the job and wakes every rank. Returns false, and does nothing, if
/// it is not the first.
bool mark_failed(const region& job, int rank, failure_kind kind, std::string_view text) noexcept;

/// The same by an exception; no-op for rank_failed, of which the job knows. `where` is put before
/// its text.
void mark_failed(const region& job, int rank, const std::exception_ptr& why,
                 const char* where = "") noexcept;
/// Throws an exception of the kind and with the text of the published failure, which has those of
/// an exception.
[[noreturn]] void throw_marked(const region& job);

/// The same for a rank that ends the job with a status.
bool mark_exit(const region& job, int rank, int status) noexcept;

/// The same, as rank_died, for a rank whose process has ended, even in the middle of mark_failed.
/// `all`: the process ran all ranks, as threads.
void mark_ended(const region& job, int rank, bool all, std::string_view text) noexcept;

/// The text for mark_ended of a rank whose process never joined the job that others have joined.
inline constexpr const char* left_without_joining =
    "exited with status 0 without joining the job that other ranks have joined";

/// Wakes every sleeping context of every rank.
void wake_all(const region& job) noexcept;

}  // namespace far::fabric::shm
