#include "far/sections/packed.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "far/rpc/call.hpp"
#include "far/rpc/landed_call.hpp"
#include "far/sections/copy_charge.hpp"
#include "far/sections/copy_rows.hpp"
#include "far/sections/owner.hpp"
#include "far/sections/remote_side.hpp"
#include "far/sections/staging.hpp"

namespace far::sections {
namespace {

struct reply_limit {
  explicit reply_limit(rank_state& state)
      : bytes(state.fabric().work_cost_ps("descriptor") == 0 ? reply_bytes : 0) {}
  std::uint64_t bytes;
};

/// Of a message: at most so much besides the bytes of a slice, its runs and dimensions.
constexpr std::uint64_t fixed_bytes = 128;

/// Whether the bytes of a slice fit in a message with its description, and so in a reply.
bool fits_in_message(const world& world, const remote_slice& slice) {
  const std::uint64_t description =
      fixed_bytes + slice.dimensions.size() * sizeof(dimension) + slice.runs.bytes();
  return description + slice.bytes() <= world.fabric().max_payload();
}

/// Copies bytes of the local side to `to`, in the order of the stream.
void pack(const world& world, const plan& what, std::uint64_t begin, std::uint64_t end,
          std::byte* to) {
  std::uint64_t all_rows = 0;
  what.for_each_block(begin, end,
                      [&](fabric::address, const std::byte* here, std::uint64_t,
                          std::uint64_t stride, std::uint64_t rows, std::uint64_t row_bytes) {
                        copy_rows(to, row_bytes, here, stride, rows, row_bytes);
                        to += rows * row_bytes;
                        all_rows += rows;
                      });
  copy_charge::add(world, end - begin, all_rows);
}

void unpack(const world& world, const plan& what, std::uint64_t begin, std::uint64_t end,
            const std::byte* from) {
  std::uint64_t all_rows = 0;
  what.for_each_block(begin, end,
                      [&](fabric::address, std::byte* here, std::uint64_t, std::uint64_t stride,
                          std::uint64_t rows, std::uint64_t row_bytes) {
                        copy_rows(here, stride, from, row_bytes, rows, row_bytes);
                        from += rows * row_bytes;
                        all_rows += rows;
                      });
  copy_charge::add(world, end - begin, all_rows);
}

std::vector<std::byte> packed(const world& world, const plan& what, std::uint64_t begin,
                              std::uint64_t end) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(end - begin));
  pack(world, what, begin, end, bytes.data());
  return bytes;
}

/// Calls start(flight, slice) for each slice of the plan from `begin` on, which returns the slice's
/// future.
template <class Start>
future<void> start_slices(const world& world, const plan& what, const slicing& cut,
                          std::uint64_t begin, Start start) {
  slices flight(world, cut.in_flight);
  const slicer remote(what);
  const std::size_t room = world.fabric().max_payload() - fixed_bytes;
  try {
    while (begin < what.bytes()) {
      // Its description fits in a message, and need not be fetched.
      const remote_slice slice =
          remote.slice(begin, std::min(begin + cut.bytes, what.bytes()), room);
      flight.admit();
      flight.add(start(flight, slice));
      begin = slice.end;
    }
  } catch (...) {
    flight.settle();
    throw;
  }
  return flight.all();
}

/// A put or accumulate: the owner's side is one of the two functions.
template <class Inline, class Staged>
future<void> start_sending(const world& world, const plan& what, const slicing& cut,
                           std::uint64_t first, Inline by_message, Staged by_get) {
  return start_slices(world, what, cut, first,
                      [&](slices& flight, const remote_slice& slice) -> future<void> {
                        if (fits_in_message(world, slice))
                          return by_message(slice, packed(world, what, slice.begin, slice.end));
                        staging room = flight.room_for(slice.bytes());
                        pack(world, what, slice.begin, slice.end, room.memory());
                        const fabric::address place = room.place().address();
                        return by_get(slice, place).then([room = std::move(room)] {});
                      });
}

}  // namespace

std::uint64_t max_replied_bytes(const world& world) {
  return world.state().get<reply_limit>().bytes;
}

future<void> start_packed_put(const world& world, const plan& what, const slicing& cut) {
  return start_sending(
      world, what, cut, 0,
      [&](const remote_slice& to, const std::vector<std::byte>& bytes) {
        return rpc<owner::put>(world, what.rank(), to, bytes);
      },
      [&](const remote_slice& to, fabric::address from) {
        return rpc<owner::put_staged>(world, what.rank(), to, from);
      });
}

future<void> start_packed_accumulate(const world& world, const plan& what, const slicing& cut,
                                     const scaling& how, std::uint64_t begin) {
  return start_sending(
      world, what, cut, begin,
      [&](const remote_slice& to, const std::vector<std::byte>& bytes) {
        return rpc<owner::accumulate>(world, what.rank(), to, how, bytes);
      },
      [&](const remote_slice& to, fabric::address from) {
        return rpc<owner::accumulate_staged>(world, what.rank(), to, how, from);
      });
}

future<void> start_packed_get(const world& world, const plan& what, const slicing& cut) {
  const auto to = std::make_shared<const plan>(what);  // until the last slice has arrived
  const std::uint64_t replied = max_replied_bytes(world);
  return start_slices(
      world, what, cut, 0, [&](slices& flight, const remote_slice& slice) -> future<void> {
        const std::uint64_t begin = slice.begin;
        const std::uint64_t end = slice.end;
        if (slice.bytes() > replied && fits_in_message(world, slice)) {
          return detail::start_call(world, what.rank(),
                                    {.reply_bytes = static_cast<std::uint32_t>(end - begin + 16)},
                                    detail::constant_function<owner::get>{}, slice)
              .then([to, begin, end, world](const std::vector<std::byte>& bytes) {
                if (bytes.size() != end - begin) wire::throw_malformed("a slice of another size");
                unpack(world, *to, begin, end, bytes.data());
              });
        }
        staging room = flight.room_for(end - begin);
        const fabric::address place = room.place().address();
        const fabric::landing whole{place, slice.bytes()};
        future<void> arriving =
            slice.bytes() <= replied
                ? detail::start_landed_call<owner::gather>(world, what.rank(), {&whole, 1}, slice)
                : rpc<owner::get_staged>(world, what.rank(), slice, place);
        return std::move(arriving).then([to, begin, end, world, room = std::move(room)] {
          unpack(world, *to, begin, end, room.memory());
        });
      });
}

}  // namespace far::sections
