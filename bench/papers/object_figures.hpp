#pragma once
// Tables 1 and 2 of oo-dsm-rdma, section 6, on a simulated cluster, as figures over the number of
// machines, with the paper's numbers as curves.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/object_protocol.hpp"
#include "bench/harness/figure.hpp"
#include "bench/papers/object_jobs.hpp"
#include "bench/papers/object_loads.hpp"
#include "bench/papers/object_programs.hpp"

namespace far::bench {

/// The paper's numbers on 1, 2 and 8 machines; 0: none.
using paper_numbers = std::array<double, 3>;

/// A protocol of the tables. Figures have a curve of each.
struct object_case {
  const char* name;
  const char* paper_name;  ///< null: the paper does not have it
  apps::object_protocol how;
  paper_numbers request_us;      ///< an object fetched
  paper_numbers bandwidth_mb_s;  ///< 32 KB array
  paper_numbers water_s;
  paper_numbers lu_s;
};
/// Those that libfar has.
[[nodiscard]] std::span<const object_case> object_cases() noexcept;
/// Errors: std::out_of_range.
[[nodiscard]] const object_case& case_of(apps::object_protocol how);

namespace object_names {
inline constexpr const char* all = "all machines";
inline constexpr const char* home = "the object's machine";
inline constexpr const char* remote = "another machine";
inline constexpr const char* barrier = "far";
inline constexpr const char* paper = "paper";
}  // namespace object_names

struct object_places {
  std::vector<int> machines;  ///< ascending, begins with 1
  std::vector<int> gaps;      ///< N of "every N-th element"
  std::uint64_t lock_ns = 0;  ///< the locks' loop
  int barriers = 0;
  int nodes = 0;  ///< of the list
  int rounds = 0;
  bool full = true;  ///< Water and LU have the sizes that the paper's times are compared with
  water_size water;
  lu_size lu;
};
/// `machines`: empty for the paper's. Errors: bad_argument if there is one only.
[[nodiscard]] object_places object_places_of(std::vector<int> machines, bool quick);
[[nodiscard]] std::size_t object_jobs_of(const object_places& at);

struct object_results {
  machine_times machine;
  figure locks;
  figure barriers;
  figure requests;
  figure bandwidth;
  std::vector<figure> gaps;  ///< by machines, more than one
  figure water;
  figure lu;
  double water_spread = 0;       ///< max relative difference of energies between all jobs
  bool same_determinant = true;  ///< of all jobs
};
[[nodiscard]] object_results measure_object_tables(object_jobs& on, const object_places& at);

/// The name of the paper's curve for a protocol that it has.
[[nodiscard]] std::string paper_curve(const object_case& of);

}  // namespace far::bench
