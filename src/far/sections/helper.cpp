#include "far/sections/helper.hpp"

#include <algorithm>
#include <utility>

#include "far/fabric/copy.hpp"
#include "far/rma/async.hpp"
#include "far/rpc/serialize.hpp"

namespace far::sections {

open_puts::entry::entry(rank_state& state, const plan& what)
    : fabric_(&state.fabric()), all_(&state.get<open_puts>()) {
  const std::scoped_lock locked(all_->lock_);
  name_ = ++all_->last_;
  all_->plans_.emplace(name_, what);
}

open_puts::entry::~entry() {
  if (fabric_->owner == nullptr)
    return;  // a failed job drops its operations after its rank's state
  const std::scoped_lock locked(all_->lock_);
  all_->plans_.erase(name_);
}

std::vector<fabric::gather> open_puts::pieces(std::uint64_t name, std::uint64_t begin,
                                              std::uint64_t end) {
  const std::scoped_lock locked(lock_);
  const auto found = plans_.find(name);
  if (found == plans_.end() || begin >= end || end > found->second.bytes()) {
    wire::throw_malformed("a request for bytes of a put that is not open");
  }
  std::vector<fabric::gather> result;
  found->second.for_each_row(
      begin, end, [&](fabric::address, const std::byte* here, std::uint64_t bytes) {
        const auto* const last =
            result.empty() ? nullptr : static_cast<const std::byte*>(result.back().from);
        if (last != nullptr && last + result.back().bytes == here) {
          result.back().bytes += static_cast<std::size_t>(bytes);
        } else {
          result.push_back({here, static_cast<std::size_t>(bytes)});
        }
      });
  return result;
}

namespace helper {
namespace {

struct own_piece {
  std::byte* memory;
  std::uint64_t bytes;
};

/// The contiguous pieces of a slice of this rank's memory. There are few, because senders cut their
/// slices so.
std::vector<own_piece> pieces_of(const fabric::fabric& fabric, const remote_slice& slice) {
  std::vector<own_piece> result;
  own_slice(fabric, slice)
      .for_each_block([&](std::byte* memory, std::uint64_t stride, std::uint64_t, std::uint64_t,
                          std::uint64_t rows, std::uint64_t row_bytes) {
        if (result.size() + rows > fabric::max_landings) {
          wire::throw_malformed("more segments than a descriptor has");
        }
        for (std::uint64_t i = 0; i < rows; ++i) {
          result.push_back({memory + i * stride, row_bytes});
        }
      });
  return result;
}

}  // namespace

detail::gathered gather(rank_state& here, const remote_slice& from) {
  detail::gathered result;
  for (const own_piece& p : pieces_of(here.fabric(), from)) {
    result.push_back({p.memory, static_cast<std::size_t>(p.bytes)});
  }
  return result;
}

future<void> scatter(const world& world, const remote_slice& to, int origin, std::uint64_t name) {
  std::vector<fabric::landing> landings;
  for (const own_piece& p : pieces_of(world.fabric(), to)) {
    landings.push_back({world.fabric().address_of(p.memory), p.bytes});
  }
  return detail::start_landed_call<gather_put>(world, origin, landings, name, to.begin, to.end);
}

detail::gathered gather_put(rank_state& here, std::uint64_t name, std::uint64_t begin,
                            std::uint64_t end) {
  return here.get<open_puts>().pieces(name, begin, end);
}

future<void> put_segments(const world& world, const remote_slice& from, const remote_slice& to) {
  const std::vector<own_piece> pieces = pieces_of(world.fabric(), from);
  const std::vector<list_run> places = runs_of(to, fabric::max_landings);
  if (from.bytes() != to.bytes()) wire::throw_malformed("slices of different sizes");
  std::vector<put_part> parts;
  std::size_t at = 0;
  std::uint64_t used = 0;  // bytes of places[at]
  for (const own_piece& p : pieces) {
    for (std::uint64_t done = 0; done < p.bytes;) {
      const std::uint64_t bytes = std::min(p.bytes - done, places[at].bytes - used);
      parts.push_back({places[at].there + static_cast<std::int64_t>(used), p.memory + done,
                       static_cast<std::size_t>(bytes)});
      done += bytes;
      used += bytes;
      if (used == places[at].bytes) {
        ++at;
        used = 0;
      }
    }
  }
  return put_async(world, parts);
}

}  // namespace helper
}  // namespace far::sections
