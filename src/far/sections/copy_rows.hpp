#pragma once
// Copies of many rows between memories, of which one may be accessed by other ranks meanwhile.

#include <cstddef>
#include <cstdint>

namespace far::sections {

/// Copies `rows` rows of `row_bytes` bytes, at the given strides in bytes. The places must not
/// overlap. Rows of 1, 2, 4 and 8 bytes that are aligned move whole.
/// Cost: a load and a store for rows of up to 8 bytes, else a memcpy for each row.
/// Checked by: sections_copy_rows_test.rows_of_every_size
void copy_rows(std::byte* to, std::uint64_t to_stride, const std::byte* from,
               std::uint64_t from_stride, std::uint64_t rows, std::uint64_t row_bytes) noexcept;

}  // namespace far::sections
