#include "far/sections/owner.hpp"

#include <memory>
#include <span>
#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/rma/async.hpp"
#include "far/rpc/serialize.hpp"
#include "far/sections/accumulate_queue.hpp"
#include "far/sections/copy_charge.hpp"
#include "far/sections/copy_rows.hpp"
#include "far/sections/packed.hpp"

namespace far::sections::owner {
namespace {

using buffer = std::shared_ptr<std::byte[]>;

buffer make_buffer(const own_slice& slice) {
  return std::make_shared_for_overwrite<std::byte[]>(static_cast<std::size_t>(slice.bytes()));
}

void unpack(const world& world, const own_slice& to, const std::byte* from) {
  std::uint64_t all_rows = 0;
  to.for_each_block([&](std::byte* memory, std::uint64_t stride, std::uint64_t position,
                        std::uint64_t position_stride, std::uint64_t rows,
                        std::uint64_t row_bytes) {
    copy_rows(memory, stride, from + position, position_stride, rows, row_bytes);
    all_rows += rows;
  });
  copy_charge::add(world, to.bytes(), all_rows);
  fabric::release_fence();  // before the reply
}

void pack(const world& world, const own_slice& from, std::byte* to) {
  std::uint64_t all_rows = 0;
  from.for_each_block([&](const std::byte* memory, std::uint64_t stride, std::uint64_t position,
                          std::uint64_t position_stride, std::uint64_t rows,
                          std::uint64_t row_bytes) {
    copy_rows(to + position, position_stride, memory, stride, rows, row_bytes);
    all_rows += rows;
  });
  copy_charge::add(world, from.bytes(), all_rows);
}

std::uint64_t rows_of(const own_slice& slice) {
  std::uint64_t all_rows = 0;
  slice.for_each_block([&](const std::byte*, std::uint64_t, std::uint64_t, std::uint64_t,
                           std::uint64_t rows, std::uint64_t) { all_rows += rows; });
  return all_rows;
}

void check_bytes(const own_slice& slice, const std::vector<std::byte>& bytes) {
  if (bytes.size() != slice.bytes()) wire::throw_malformed("a slice of another size");
}

/// Fetches the bytes of a slice from its origin, and calls use(bytes).
template <class Use>
future<void> with_fetched(const world& world, const own_slice& slice, fabric::address from,
                          Use use) {
  buffer bytes = make_buffer(slice);
  const std::span<std::byte> all(bytes.get(), static_cast<std::size_t>(slice.bytes()));
  return get_async(world, ptr<std::byte>(from), all)
      .then([bytes = std::move(bytes), use = std::move(use)]() mutable { return use(bytes); });
}

}  // namespace

void put(const world& world, const remote_slice& to, const std::vector<std::byte>& bytes) {
  const own_slice slice(world.fabric(), to);
  check_bytes(slice, bytes);
  unpack(world, slice, bytes.data());
}

future<void> put_staged(const world& world, const remote_slice& to, fabric::address from) {
  const own_slice slice(world.fabric(), to);
  return with_fetched(world, slice, from,
                      [slice, world](const buffer& bytes) { unpack(world, slice, bytes.get()); });
}

std::vector<std::byte> get(const world& world, const remote_slice& from) {
  const own_slice slice(world.fabric(), from);
  std::vector<std::byte> bytes(static_cast<std::size_t>(slice.bytes()));
  pack(world, slice, bytes.data());
  return bytes;
}

detail::gathered gather(rank_state& here, const remote_slice& from) {
  const own_slice slice(here.fabric(), from);
  if (slice.bytes() > reply_bytes) wire::throw_malformed("more bytes than a reply brings");
  detail::gathered pieces;
  slice.for_each_block([&](const std::byte* memory, std::uint64_t stride, std::uint64_t,
                           std::uint64_t, std::uint64_t rows, std::uint64_t row_bytes) {
    for (std::uint64_t i = 0; i < rows; ++i) {
      pieces.push_back({memory + i * stride, static_cast<std::size_t>(row_bytes)});
    }
  });
  return pieces;
}

future<void> get_staged(const world& world, const remote_slice& from, fabric::address to) {
  const own_slice slice(world.fabric(), from);
  buffer bytes = make_buffer(slice);
  pack(world, slice, bytes.get());
  const std::span<const std::byte> all(bytes.get(), static_cast<std::size_t>(slice.bytes()));
  return put_async(world, ptr<std::byte>(to), all).then([bytes = std::move(bytes)] {});
}

future<void> accumulate(const world& world, const remote_slice& to, const scaling& how,
                        const std::vector<std::byte>& bytes) {
  const own_slice slice(world.fabric(), to);
  check_bytes(slice, bytes);
  buffer copy = make_buffer(slice);
  fabric::copy_bytes(copy.get(), bytes.data(), bytes.size());
  copy_charge::add(world, slice.bytes(), rows_of(slice));
  return accumulate_queue::of(world).add(world, {slice, how, std::move(copy)});
}

future<void> accumulate_staged(const world& world, const remote_slice& to, const scaling& how,
                               fabric::address from) {
  const own_slice slice(world.fabric(), to);
  return with_fetched(world, slice, from, [slice, how, world](buffer bytes) {
    copy_charge::add(world, slice.bytes(), rows_of(slice));
    return accumulate_queue::of(world).add(world, {slice, how, std::move(bytes)});
  });
}

}  // namespace far::sections::owner
