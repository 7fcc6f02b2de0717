// Transfers of elements, or blocks of elements, at strides.

#include <algorithm>
#include <array>

#include <far/base/error.hpp>
#include <fmt/format.h>

#include "far_shmem/transfers.h"
#include "shmem/transfer.hpp"

namespace far::shmem {
namespace {

/// Where block i is: `blocks` of `block_bytes` bytes, `stride` bytes apart.
struct strided_shape {
  std::uint64_t blocks;
  std::uint64_t block_bytes;
  std::ptrdiff_t dest_stride;
  std::ptrdiff_t source_stride;
};

template <std::size_t Bytes>
void copy_elements(std::byte* to, const std::byte* from, const strided_shape& shape) noexcept {
  for (std::uint64_t i = 0; i < shape.blocks; ++i) {
    fabric::copy_bytes(to, from, Bytes);
    to += shape.dest_stride;
    from += shape.source_stride;
  }
}

void copy_blocks(void* dest, const void* source, const strided_shape& shape) noexcept {
  auto* to = static_cast<std::byte*>(dest);
  const auto* from = static_cast<const std::byte*>(source);
  fabric::release_fence();
  switch (shape.block_bytes) {
    case 4:
      return copy_elements<4>(to, from, shape);
    case 8:
      return copy_elements<8>(to, from, shape);
    default:
      break;
  }
  for (std::uint64_t i = 0; i < shape.blocks; ++i) {
    fabric::copy_bytes(to, from, shape.block_bytes);
    to += shape.dest_stride;
    from += shape.source_stride;
  }
  fabric::acquire_fence();
}

/// The bytes from the first block's first to the last one's last. Errors: bad_argument.
std::uint64_t span_of(const strided_shape& shape, std::ptrdiff_t stride) {
  if (stride < 0) {
    throw bad_argument(fmt::format("a stride of {} bytes: strides are not negative", stride));
  }
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(shape.blocks - 1, static_cast<std::uint64_t>(stride), &bytes) ||
      __builtin_add_overflow(bytes, shape.block_bytes, &bytes)) {
    return ~std::uint64_t{0};
  }
  return bytes;
}

constexpr std::size_t parts_at_once = 256;

/// Calls send(parts) for pieces of the list of blocks.
template <class Part, class Send>
void in_pieces(fabric::address remote, std::byte* local, std::ptrdiff_t remote_stride,
               std::ptrdiff_t local_stride, const strided_shape& shape, Send send) {
  std::array<Part, parts_at_once> parts;
  for (std::uint64_t at = 0; at < shape.blocks; at += parts_at_once) {
    const auto n = std::min<std::uint64_t>(shape.blocks - at, parts_at_once);
    for (std::uint64_t i = 0; i < n; ++i) {
      parts[i] = {remote, local, shape.block_bytes};
      remote = remote + remote_stride;
      local += local_stride;
    }
    send(std::span<const Part>(parts.data(), n));
  }
}

void put_strided(const char* function, shmem_ctx_t context, void* dest, const void* source,
                 const strided_shape& shape, int pe) noexcept {
  if (shape.blocks == 0 || shape.block_bytes == 0) return;
  guarded(function, [&] {
    const std::uint64_t bytes = span_of(shape, shape.dest_stride);
    (void)span_of(shape, shape.source_stride);
    if (void* const there = reached(dest, bytes, world_pe(context, pe))) {
      return copy_blocks(there, source, shape);
    }
    const int to = checked_pe(context, pe);
    const fabric::address place = address_of(dest, bytes, to);
    lane_use use = lane_of(context);
    if (void* const there = use->world().fabric().direct(place)) {
      return copy_blocks(there, source, shape);
    }
    fabric::completion taken;
    auto* const from = static_cast<std::byte*>(const_cast<void*>(source));  // only read
    in_pieces<fabric::put_part>(place, from, shape.dest_stride, shape.source_stride, shape,
                                [&](std::span<const fabric::put_part> parts) {
                                  use->context().put(parts, nullptr, &taken);
                                });
    use->context().wait(taken, {"strided put", to, place});
  });
}

void get_strided(const char* function, shmem_ctx_t context, void* dest, const void* source,
                 const strided_shape& shape, int pe) noexcept {
  if (shape.blocks == 0 || shape.block_bytes == 0) return;
  guarded(function, [&] {
    const std::uint64_t bytes = span_of(shape, shape.source_stride);
    (void)span_of(shape, shape.dest_stride);
    if (const void* const there = reached(source, bytes, world_pe(context, pe))) {
      return copy_blocks(dest, there, shape);
    }
    const int from = checked_pe(context, pe);
    const fabric::address place = address_of(source, bytes, from);
    lane_use use = lane_of(context);
    if (const void* const there = use->world().fabric().direct(place)) {
      return copy_blocks(dest, there, shape);
    }
    fabric::completion done;
    in_pieces<fabric::get_part>(
        place, static_cast<std::byte*>(dest), shape.source_stride, shape.dest_stride, shape,
        [&](std::span<const fabric::get_part> parts) { use->context().get(parts, &done); });
    use->context().wait(done, {"strided get", from, place});
    fabric::acquire_fence();
  });
}

strided_shape shape_of(std::size_t each, std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t bsize,
                       std::size_t nblocks) noexcept {
  const auto size = static_cast<std::ptrdiff_t>(each);
  return {nblocks, bytes_of(bsize, each), dst * size, sst * size};
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

#define FAR_SHMEM_STRIDED_BODIES(CTX, GIVEN, T, BYTES, BEFORE, AFTER)                             \
  FAR_SHMEM_FUNCTION(void, BEFORE##iput##AFTER,                                                   \
                     (CTX T * dest, const T* source, FAR_SHMEM_STRIDES, size_t nelems, int pe)) { \
    put_strided("shmem_" #BEFORE "iput" #AFTER, GIVEN, dest, source,                              \
                shape_of(BYTES, dst, sst, 1, nelems), pe);                                        \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(void, BEFORE##iget##AFTER,                                                   \
                     (CTX T * dest, const T* source, FAR_SHMEM_STRIDES, size_t nelems, int pe)) { \
    get_strided("shmem_" #BEFORE "iget" #AFTER, GIVEN, dest, source,                              \
                shape_of(BYTES, dst, sst, 1, nelems), pe);                                        \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(                                                                             \
      void, BEFORE##ibput##AFTER,                                                                 \
      (CTX T * dest, const T* source, FAR_SHMEM_STRIDES, size_t bsize, size_t nblocks, int pe)) { \
    put_strided("shmem_" #BEFORE "ibput" #AFTER, GIVEN, dest, source,                             \
                shape_of(BYTES, dst, sst, bsize, nblocks), pe);                                   \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(                                                                             \
      void, BEFORE##ibget##AFTER,                                                                 \
      (CTX T * dest, const T* source, FAR_SHMEM_STRIDES, size_t bsize, size_t nblocks, int pe)) { \
    get_strided("shmem_" #BEFORE "ibget" #AFTER, GIVEN, dest, source,                             \
                shape_of(BYTES, dst, sst, bsize, nblocks), pe);                                   \
  }

#define FAR_SHMEM_TYPED_STRIDED(A, T, NAME)                                              \
  FAR_SHMEM_STRIDED_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, T, sizeof(T), NAME##_, ) \
  FAR_SHMEM_STRIDED_BODIES(FAR_SHMEM_WITH_CTX, ctx, T, sizeof(T), ctx_##NAME##_, )
#define FAR_SHMEM_SIZED_STRIDED(A, BYTES, BITS)                                      \
  FAR_SHMEM_STRIDED_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, void, BYTES, , BITS) \
  FAR_SHMEM_STRIDED_BODIES(FAR_SHMEM_WITH_CTX, ctx, void, BYTES, ctx_, BITS)

FAR_SHMEM_RMA(FAR_SHMEM_TYPED_STRIDED, )
FAR_SHMEM_SIZES(FAR_SHMEM_SIZED_STRIDED, )
