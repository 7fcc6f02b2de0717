#include "far/rma/transfer.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"

namespace far {
namespace rma {
namespace {

constexpr std::size_t bounce_bytes = 256 * 1024;

void check_apart(fabric::address from, fabric::address to, std::uint64_t bytes) {
  if (from.rank() != to.rank() || from.segment() != to.segment()) return;
  const std::uint64_t low = std::min(from.offset(), to.offset());
  const std::uint64_t high = std::max(from.offset(), to.offset());
  if (high - low < bytes) {
    throw bad_argument(
        fmt::format("copy of {} bytes from offset {} to offset {} of rank {}: the places overlap; "
                    "copy through a buffer",
                    bytes, from.offset(), to.offset(), from.rank()));
  }
}

/// Copies pieces by get and put through two buffers, so that one is filled while the other is
/// emptied.
void copy_by_pieces(const world& world, fabric::address from, fabric::address to,
                    std::uint64_t bytes) {
  struct piece {
    std::unique_ptr<std::byte[]> buffer;
    std::size_t bytes = 0;
    fabric::completion got;
    fabric::completion put;
  };
  fabric::context& context = world.context();
  std::array<piece, 2> pieces;
  const auto buffer_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, bounce_bytes));
  for (piece& p : pieces) p.buffer = std::make_unique_for_overwrite<std::byte[]>(buffer_bytes);
  std::uint64_t asked = 0;
  const auto ask = [&](piece& p) {
    p.bytes = static_cast<std::size_t>(std::min<std::uint64_t>(bytes - asked, buffer_bytes));
    if (p.bytes == 0) return;
    const get_part part{from + static_cast<std::int64_t>(asked), p.buffer.get(), p.bytes};
    context.get({&part, 1}, &p.got);
    asked += p.bytes;
  };
  ask(pieces[0]);
  std::size_t turn = 0;
  for (std::uint64_t sent = 0; sent < bytes; turn ^= 1) {
    piece& now = pieces[turn];
    piece& next = pieces[turn ^ 1];
    context.wait(next.put, {"copy", to.rank(), to});
    ask(next);
    context.wait(now.got, {"copy", from.rank(), from});
    const put_part part{to + static_cast<std::int64_t>(sent), now.buffer.get(), now.bytes};
    context.put({&part, 1}, &now.put);
    sent += now.bytes;
  }
  for (piece& p : pieces) context.wait(p.put, {"copy", to.rank(), to});
}

/// Puts by the fabric's verb.
void put_parts(const world& world, std::span<const put_part> parts) {
  fabric::release_fence();
  fabric::completion done;
  world.context().put(parts, &done);
  world.context().wait(done, {"put", parts.front().to.rank(), parts.front().to});
}

void get_parts(const world& world, std::span<const get_part> parts) {
  fabric::completion done;
  world.context().get(parts, &done);
  world.context().wait(done, {"get", parts.front().from.rank(), parts.front().from});
  fabric::acquire_fence();
}

}  // namespace

void put_bytes(const world& world, fabric::address to, const void* from, std::size_t bytes) {
  const fabric::fabric& fabric = world.fabric();
  fabric.check_bounds(to, bytes);
  if (std::byte* const place = fabric.direct(to)) {
    fabric::release_fence();  // after this thread's earlier operations
    fabric::copy_bytes(place, from, bytes);
    return;
  }
  const put_part part{to, from, bytes};
  put_parts(world, {&part, 1});
}

void get_bytes(const world& world, fabric::address from, void* to, std::size_t bytes) {
  const fabric::fabric& fabric = world.fabric();
  fabric.check_bounds(from, bytes);
  if (const std::byte* const place = fabric.direct(from)) {
    fabric::copy_bytes(to, place, bytes);
    fabric::acquire_fence();  // before this thread's later operations
    return;
  }
  const get_part part{from, to, bytes};
  get_parts(world, {&part, 1});
}

void check_signal(std::span<const put_part> parts, const signal& after) {
  for (const put_part& part : parts) {
    if (part.to.rank() != after.word.rank()) {
      throw bad_argument(
          fmt::format("a put to rank {} with a signal on rank {}: a signal follows its payload to "
                      "the same rank",
                      part.to.rank(), after.word.rank()));
    }
  }
}

void put_signalled(const world& world, std::span<const put_part> parts, const signal& after) {
  check_signal(parts, after);
  fabric::completion done;
  world.context().put(parts, &done, nullptr, &after);
  world.context().wait(done, {"put with signal", after.word.rank(), after.word});
}

void copy_bytes(const world& world, fabric::address from, fabric::address to, std::uint64_t bytes) {
  const fabric::fabric& fabric = world.fabric();
  fabric.check_bounds(from, bytes);
  fabric.check_bounds(to, bytes);
  check_apart(from, to, bytes);
  const std::byte* const source = fabric.direct(from);
  std::byte* const target = fabric.direct(to);
  if (source != nullptr && target != nullptr) {
    fabric::release_fence();
    fabric::copy_bytes(target, source, static_cast<std::size_t>(bytes));
    fabric::acquire_fence();
    return;
  }
  copy_by_pieces(world, from, to, bytes);
}

}  // namespace rma

void put(const world& world, std::span<const put_part> parts) {
  if (parts.empty()) return;
  const put_part& first = parts.front();
  parts.size() == 1 ? rma::put_bytes(world, first.to, first.from, first.bytes)
                    : rma::put_parts(world, parts);
}

void get(const world& world, std::span<const get_part> parts) {
  if (parts.empty()) return;
  const get_part& first = parts.front();
  parts.size() == 1 ? rma::get_bytes(world, first.from, first.to, first.bytes)
                    : rma::get_parts(world, parts);
}

}  // namespace far
