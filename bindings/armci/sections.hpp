#pragma once
// From the arguments of ARMCI's transfers to plans of far/sections, and how plans are run.

#include <cstddef>
#include <cstdint>

#include "armci.h"
#include "far/rma/future.hpp"
#include "far/sections/accumulate_rows.hpp"
#include "far/sections/run.hpp"
#include "far/sections/shape.hpp"

namespace far::armci {

/// One section of memory at `proc`, and one of this process with the same count.
struct section {
  void* there;
  const int* stride_there;
  void* here;
  const int* stride_here;
  const int* count;
  int levels;
  int proc;
};

/// Rows as long as possible, the outermost level first.
/// Errors: bad_argument for negative counts and strides, and for more than 7 levels.
[[nodiscard]] sections::shape shape_of(const section& what);
/// The same for one side, the other being the same bytes without gaps.
[[nodiscard]] sections::shape packed_shape_of(const int* strides, const int* count, int levels);

/// Errors: bad_argument for an unknown type, and without a scale.
[[nodiscard]] sections::order accumulate_of(int datatype, const void* scale);
/// Errors: bad_argument unless `bytes` are whole elements.
void check_elements(const sections::order& how, std::uint64_t bytes);

inline constexpr sections::order put_order{section_operation::put};
inline constexpr sections::order get_order{section_operation::get};

/// Performs a transfer, or starts it.
/// Errors: bad_argument for null addresses and memory that was not allocated; those of shape_of.
void run(const sections::order& how, const section& what);
[[nodiscard]] future<void> start(const sections::order& how, const section& what);

/// The same for segments. Of a get, the destinations are local, else the sources.
void run(const sections::order& how, const armci_giov_t* vectors, int count, int proc);
[[nodiscard]] future<void> start(const sections::order& how, const armci_giov_t* vectors, int count,
                                 int proc);

}  // namespace far::armci
