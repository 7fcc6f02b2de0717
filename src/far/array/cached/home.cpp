#include "far/array/cached/home.hpp"

#include <algorithm>
#include <cstring>

#include "far/array/cached/part.hpp"
#include "far/base/check.hpp"

namespace far::cached {
namespace {

/// What a rank may keep of what it has when another right is granted, to itself or to another.
right compatible(const claim& has, const claim& granted, bool same_rank) noexcept {
  if (granted.what == right::none) return same_rank ? right::none : has.what;
  switch (has.what) {
    case right::none:
      return right::none;
    case right::read:
      return granted.what == right::read || (granted.what == right::write && same_rank)
                 ? right::read
                 : right::none;
    case right::write:
      if (same_rank && granted.what != right::direct) return right::write;
      return granted.what == right::read ? right::read : right::none;
    case right::operate:
      return granted.what == right::operate && granted.op == has.op ? right::operate : right::none;
    case right::direct:
      return granted.what == right::direct ? right::direct : right::none;
  }
  return right::none;
}

}  // namespace

void home::wanted(outbox& out, std::uint64_t chunk, request r, const fill_report& report) {
  const std::uint64_t region = region_begin(part_->map, chunk);
  choices_.reported(region, report);
  if (r.may_choose) {
    if (choices_.is_direct(region)) {
      r.what = right::direct;
      r.op = nullptr;
    } else if (r.what == right::direct) {
      if (r.rank == part_->rank) return part_->lines.refused(out, chunk);
      out.grants.push_back({r.rank, chunk, right::none, false, {}, r.number});
      return;
    }
  }
  entry& e = entries_[chunk];
  e.requests.push_back(r);
  if (e.awaited == 0) serve(out, chunk, e);
}

void home::returned(const recall& what, std::span<const std::byte> data) {
  std::byte* const memory = part_->home_memory(what.chunk);
  FAR_CHECK(data.size() == part_->bytes_of(what.chunk),
            "cached_array: a chunk has come back with a wrong length");
  if (what.from == right::operate) {
    const std::uint64_t count = part_->map.length_of_chunk(what.chunk);
    entries_.at(what.chunk).op->merge(memory, data.data(), count);
  } else {
    std::memcpy(memory, data.data(), data.size());
  }
}

void home::answered(outbox& out, const recall& what, bool refused) {
  entry& e = entries_.at(what.chunk);
  if (refused) {
    e.requests.erase(e.requests.begin());  // the eviction
  } else if (what.keep == right::none) {
    std::erase_if(e.holders, [&](const holder& h) { return h.rank == what.rank; });
    if (e.holders.empty()) e.held = right::none;
  } else {
    e.held = what.keep;
  }
  if (--e.awaited == 0) serve(out, what.chunk, e);
}

void home::revoked_own(outbox& out, std::uint64_t chunk) {
  const auto at = entries_.find(chunk);
  FAR_CHECK(at != entries_.end() && at->second.awaited > 0,
            "cached_array: a revocation that nobody awaits has ended");
  entry& e = at->second;
  if (--e.awaited == 0) serve(out, chunk, e);
}

/// Serves requests until one has to wait for answers.
void home::serve(outbox& out, std::uint64_t chunk, entry& e) {
  while (!e.requests.empty()) {
    recall_for(out, chunk, e, e.requests.front());
    if (e.awaited > 0) return;
    grant_to(out, chunk, e, e.requests.front());
    e.requests.erase(e.requests.begin());
  }
  settle_own_right(out, chunk, e);
  if (e.holders.empty() && part_->lines.own_claim(chunk).what == right::write) {
    entries_.erase(chunk);
  }
}

/// Recalls the rights that stand in the way of a request. Called again when all have been answered,
/// it finds none.
void home::recall_for(outbox& out, std::uint64_t chunk, entry& e, const request& r) {
  const claim granted{r.what, r.op};
  for (const holder& h : e.holders) {
    const right keep = compatible({e.held, e.op}, granted, h.rank == r.rank);
    if (keep == e.held) continue;
    out.recalls.push_back({h.rank, chunk, e.held, keep, r.what == right::none, h.number});
    ++e.awaited;
  }
  const claim own = part_->lines.own_claim(chunk);
  const right keep = compatible(own, granted, r.rank == part_->rank);
  if (keep == own.what) return;
  if (r.what == right::none && !part_->lines.may_evict_own(chunk)) return;
  if (!part_->lines.revoke_own(out, chunk, own.what, keep)) ++e.awaited;
}

void home::grant_to(outbox& out, std::uint64_t chunk, entry& e, const request& r) {
  if (r.what == right::none) return;
  if (r.rank == part_->rank) {
    // Alone, the home may as well write: that covers every right. But operands that it has combined
    // are merged by a revocation only.
    const bool writes = e.holders.empty() && part_->lines.own_claim(chunk).what != right::operate;
    if (r.may_choose) part_->lines.told(chunk, r.what == right::direct);
    part_->lines.grant_own(out, chunk, writes ? right::write : r.what, r.op, r.number);
    return;
  }
  auto holder_of = std::ranges::find(e.holders, r.rank, &holder::rank);
  const bool has_copy = holder_of != e.holders.end() && holder_of->number == r.copy;
  if (holder_of == e.holders.end()) holder_of = e.holders.insert(holder_of, {r.rank, 0});
  holder_of->number = r.number;
  e.held = r.what;
  e.op = r.op;
  out.grants.push_back(
      {r.rank, chunk, r.what, has_elements(r.what) && !has_copy, r.line, r.number});
}

/// Between requests the home has what the holders leave it.
void home::settle_own_right(outbox& out, std::uint64_t chunk, const entry& e) {
  const right own = part_->lines.own_claim(chunk).what;
  if (own == right::operate) return;
  right free = own;
  if (e.holders.empty()) {
    free = right::write;
  } else if (e.held == right::read || e.held == right::direct) {
    free = e.held;
  }
  if (own != free) part_->lines.grant_own(out, chunk, free, nullptr, 0);
}

}  // namespace far::cached
