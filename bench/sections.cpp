// Put, get and accumulate of 2-D patches of another process' memory, compared with loops over the
// same memory by hand (rows D2 and D3).

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/array.hpp"
#include "bench/harness/measure.hpp"
#include "bench/harness/registry.hpp"
#include "far/fabric/reach.hpp"
#include "far/far.hpp"

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FAR_FOR_THIS_PROCESSOR __attribute__((target_clones("default", "avx2"), optimize("O3")))
#else
#define FAR_FOR_THIS_PROCESSOR
#endif

namespace far::bench {
namespace {

constexpr std::uint64_t leading = 1024;  // elements in a row of the matrix
constexpr std::uint64_t matrix_rows = 2048;

struct patch_size {
  const char* name;
  std::uint64_t rows;
  std::uint64_t columns;
};
constexpr patch_size sizes[] = {{"1024 x 1", 1024, 1},   {"1024 x 4", 1024, 4},
                                {"512 x 16", 512, 16},   {"128 x 128", 128, 128},
                                {"64 x 1000", 64, 1000}, {"256 x 1024", 256, 1024}};

/// The matrix of the last rank, and a dense patch in this rank's own memory.
struct bed {
  explicit bed(const world& view)
      : matrix(allocate<double>(view, leading * matrix_rows).on(view.size() - 1)),
        mapped(reinterpret_cast<double*>(fabric::reached(view.words(), matrix.address()))),
        buffer(leading * 256, 1.0) {}

  ptr<double> matrix;
  double* mapped;
  std::vector<double> buffer;
};

void copy_by_hand(double* to, std::uint64_t to_stride, const double* from,
                  std::uint64_t from_stride, const patch_size& size) {
  if (size.columns == 1) {
    for (std::uint64_t r = 0; r < size.rows; ++r) to[r * to_stride] = from[r * from_stride];
    return;
  }
  for (std::uint64_t r = 0; r < size.rows; ++r) {
    __builtin_memcpy(to + r * to_stride, from + r * from_stride, size.columns * sizeof(double));
  }
}

FAR_FOR_THIS_PROCESSOR void add_by_hand(double* __restrict y, double a, const double* __restrict x,
                                        std::uint64_t rows, std::uint64_t columns) {
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t c = 0; c < columns; ++c) y[r * leading + c] += a * x[r * columns + c];
  }
}

/// Runs `once` `count` times on rank 0.
template <class Once>
subject on_first(const world& view, std::string name, Once once) {
  if (view.rank() != 0) return {std::move(name), [once](std::int64_t) {}};
  return {std::move(name), [once](std::int64_t count) {
            for (std::int64_t i = 0; i < count; ++i) {
              once();
              keep(i);
            }
          }};
}

std::vector<subject> subjects_of(world& view) {
  const auto at = std::make_shared<bed>(view);
  std::vector<subject> result;
  const auto add = [&](std::string name, auto once) {
    result.push_back(on_first(view, std::move(name), once));
  };
  for (const patch_size& size : sizes) {
    const auto there = patch(at->matrix, size.rows, size.columns, leading);
    const auto here = patch(at->buffer.data(), size.rows, size.columns);
    const std::string name = size.name;
    add("put " + name, [view, at, there, here] { put(view, there, here); });
    add("put by hand " + name,
        [at, size] { copy_by_hand(at->mapped, leading, at->buffer.data(), size.columns, size); });
    add("get " + name, [view, at, there, here] { get(view, there, here); });
    add("get by hand " + name,
        [at, size] { copy_by_hand(at->buffer.data(), size.columns, at->mapped, leading, size); });
    add("accumulate " + name, [view, at, there, here] { accumulate(view, there, 1.5, here); });
    add("accumulate by hand " + name,
        [at, size] { add_by_hand(at->mapped, 1.5, at->buffer.data(), size.rows, size.columns); });
  }
  return result;
}

report measure_sections(const settings& chosen) {
  check_settings("sections", chosen);
  const array_effort how{chosen.quick};
  report result;
  result.measured = fmt::format(
      "sections: patches of a matrix of doubles, {} in a row, in the memory of another process, "
      "from and to a\ndense patch of this one. Limit: the same loop over the mapped memory by "
      "hand: "
      "memcpy of each row (of one element,\na load and a store), or y += a x for this processor. "
      "In "
      "brackets: the ratio's 95 % confidence interval, from {}\nrounds of both, in {} jobs.",
      leading, how.rounds(), how.jobs());
  const round_times times = rounds_of_jobs(how.jobs(), 2, subjects_of, how.of_a_job());
  for (const std::string operation : {"put", "get", "accumulate"}) {
    for (const patch_size& size : sizes) {
      const std::string name = fmt::format("{} {}", operation, size.name);
      const bool is_large = size.rows * size.columns * sizeof(double) >= 2 << 20;
      const double max_ratio = operation == "accumulate" && is_large ? 1.11 : 1.3;
      const auto kilobytes = static_cast<double>(size.rows * size.columns * sizeof(double)) / 1024;
      result.rows.push_back(row_of({.row = name,
                                    .far = name,
                                    .limit = fmt::format("{} by hand {}", operation, size.name),
                                    .max_ratio = max_ratio,
                                    .note = fmt::format("{:.0f} KB", kilobytes)},
                                   times));
    }
  }
  return result;
}

const benchmark registered("sections", "put, get and accumulate of patches, against loops by hand",
                           measure_sections);

}  // namespace
}  // namespace far::bench
