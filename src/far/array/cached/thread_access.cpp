#include "far/array/cached/thread_access.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::cached {

void check_same_size(std::size_t indices, std::size_t operands) {
  if (indices == operands) return;
  throw bad_argument(
      fmt::format("cached_array::apply_many: {} indices and {} operands", indices, operands));
}

thread_access::thread_access(const world& view, std::shared_ptr<cached::part> of)
    : view_(view),
      part_(std::move(of)),
      table_(part_->lines.table().data()),
      path_(path_of(view, *part_)) {
  const std::scoped_lock lock(part_->mutex);
  record_ = part_->lines.open_record();
}

thread_access::path thread_access::path_of(const world& view, const cached::part& of) noexcept {
  if (of.direct) return path::direct;
  const bool steps = view.fabric().name() == "sim";
  return steps || !fabric::has_asymmetric_fence() ? path::careful : path::published;
}

thread_access::~thread_access() {
  if (record_ == nullptr) return;
  const std::scoped_lock lock(part_->mutex);
  part_->lines.close_record(record_);
}

void thread_access::step() const {
  if (view_.fabric().name() == "sim") view_.context().compute(1);
}

void thread_access::answer_notice() const {
  outbox out;
  {
    const std::scoped_lock lock(part_->mutex);
    part_->lines.answer_notice(out, *record_);
  }
  out.flush(*part_, view_.context());
}

std::uint64_t thread_access::prefetch(std::uint64_t begin, std::uint64_t end, right what,
                                      const operation* op) const {
  if (path_ == path::direct) return end;
  constexpr std::uint64_t max_chunks = 64;
  outbox out;
  const std::uint64_t stop =
      std::min(end, begin + std::clamp<std::uint64_t>(part_->lines.slots() / 2, 1, max_chunks));
  {
    const std::scoped_lock lock(part_->mutex);
    for (std::uint64_t chunk = begin; chunk < stop; ++chunk) {
      part_->lines.prefetch(out, chunk, what, op);
    }
  }
  out.flush(*part_, view_.context());
  return stop;
}

void thread_access::prefetch(std::vector<std::uint64_t> chunks, right what,
                             const operation* op) const {
  if (path_ == path::direct) return;
  std::ranges::sort(chunks);
  const auto same = std::ranges::unique(chunks);
  chunks.erase(same.begin(), same.end());
  chunks.resize(std::min<std::size_t>(chunks.size(), part_->lines.slots() / 2));
  outbox out;
  {
    const std::scoped_lock lock(part_->mutex);
    for (const std::uint64_t chunk : chunks) part_->lines.prefetch(out, chunk, what, op);
  }
  out.flush(*part_, view_.context());
}

thread_access::pinned thread_access::pin(std::uint64_t chunk, right what,
                                         const operation* op) const {
  if (path_ == path::direct) return {part_->direct_memory(chunk), right::write};
  outbox out;
  pinned result{nullptr, what};
  {
    std::unique_lock lock(part_->mutex);
    result.data = part_->lines.acquire(lock, out, view_, *record_, chunk, what, op);
    if (what == right::operate && part_->lines.is_value(chunk)) result.what = right::write;
    part_->lines.pin(chunk, result.what);
    part_->lines.leave(out, chunk);
  }
  record_->pinned.push_back(chunk);
  out.flush(*part_, view_.context());
  return result;
}

void thread_access::unpin(std::uint64_t chunk, right what) const {
  if (path_ == path::direct) return;
  record_->pinned.erase(std::ranges::find(record_->pinned, chunk));
  outbox out;
  {
    const std::scoped_lock lock(part_->mutex);
    part_->lines.unpin(out, chunk, what);
  }
  out.flush(*part_, view_.context());
}

}  // namespace far::cached
