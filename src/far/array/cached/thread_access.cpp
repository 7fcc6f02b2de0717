#include "far/array/cached/thread_access.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/homes/message.hpp"
#include "far/rpc/handler.hpp"

namespace far::cached {
void check_same_size(std::size_t indices, std::size_t operands) {
  if (indices == operands) return;
  throw bad_argument(
      fmt::format("cached_array::apply_many: {} indices and {} operands", indices, operands));
}

thread_access::thread_access(const far::world& world, std::shared_ptr<cached::part> of)
    : table_(of->lines.table().data()),
      world_(world),
      part_(std::move(of)),
      record_(open_record(part_)),
      asymmetric_(fabric::has_asymmetric_fence()),
      work_(world.fabric()),
      steps_(world.fabric().simulated() && !work_.has_hits() && !is_called_by_others()) {
  publishes_ = part_->coherent ? nullptr : record_.get();
  operands_ = record_->operands.data();
  if (part_->coherent) own_ = part_->elements_of(world.rank());
  const bool is_careful = !part_->coherent && (world.fabric().simulated() || !asymmetric_);
  if (is_careful || !part_->map.finds_by_shift()) return;
  quick_size_ = part_->map.size();
  shift_ = part_->map.shift();
}

[[gnu::cold]] void thread_access::find_other(std::uint64_t chunk) const noexcept {
  other_ = part_->elements_of(part_->map.owner_of_chunk(chunk));
}

bool thread_access::is_called_by_others() const noexcept { return world_.context().is_lane(); }

void thread_access::answer_notice() const {
  homes::step(world_.context(), *part_,
              [&](outbox& out) { part_->lines.answer_notice(out, *record_); });
}

void leave_home(part& of, fabric::context& context, std::uint64_t chunk, std::uint64_t took) {
  homes::step(context, of, [&](outbox& out) { of.lines.leave_home(out, chunk, took); });
}

bool thread_access::goes_past_cache(std::uint64_t chunk) const {
  if (part_->coherent || word_of(chunk).can_read()) return false;
  const std::scoped_lock lock(part_->mutex);
  return part_->lines.goes_past(chunk);
}

bool thread_access::enter_home(std::uint64_t chunk) const {
  const std::scoped_lock lock(part_->mutex);
  return part_->lines.enter_home(chunk);
}

std::uint64_t thread_access::prefetch(std::uint64_t begin, std::uint64_t end,
                                      const claim& wanted) const {
  if (part_->coherent || is_called_by_others()) return end;
  constexpr std::uint64_t max_chunks = 64;
  outbox out;
  const std::uint64_t stop =
      std::min(end, begin + std::clamp<std::uint64_t>(part_->lines.slots() / 2, 1, max_chunks));
  {
    const std::scoped_lock lock(part_->mutex);
    for (std::uint64_t chunk = begin; chunk < stop; ++chunk) {
      if (!part_->lines.prefetch(out, chunk, wanted)) break;
    }
  }
  out.flush(*part_, world_.context());
  return stop;
}

void thread_access::prefetch(std::vector<std::uint64_t> chunks, const claim& wanted) const {
  if (part_->coherent || is_called_by_others()) return;
  std::ranges::sort(chunks);
  const auto same = std::ranges::unique(chunks);
  chunks.erase(same.begin(), same.end());
  chunks.resize(std::min<std::size_t>(chunks.size(), part_->lines.slots() / 2));
  homes::step(world_.context(), *part_, [&](outbox& out) {
    for (const std::uint64_t chunk : chunks) {
      if (!part_->lines.prefetch(out, chunk, wanted)) break;
    }
  });
}

thread_access::pinned thread_access::slow_pin(std::uint64_t chunk, right what,
                                              const operation* op) const {
  outbox out;
  pinned result{nullptr, what};
  {
    std::unique_lock lock(part_->mutex);
    const auto at = part_->lines.acquire(lock, out, world_, *record_, chunk, {what, op});
    result.data = at.data;
    if (what == right::operate && at.is_value) result.what = right::write;
    part_->lines.pin(*record_, chunk, result.what);
    part_->lines.leave(out, chunk);
  }
  out.flush(*part_, world_.context());
  return result;
}

void thread_access::slow_unpin(std::uint64_t chunk, right what) const {
  homes::step(world_.context(), *part_,
              [&](outbox& out) { part_->lines.unpin(out, *record_, chunk, what); });
}

}  // namespace far::cached
