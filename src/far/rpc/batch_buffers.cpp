#include "far/rpc/batch_buffers.hpp"

namespace far::detail {

batch_buffers::batch_buffers(int ranks, std::size_t bytes_each, std::size_t max)
    : bytes_each_(bytes_each),
      max_(max),
      ends_(static_cast<std::size_t>(ranks)),
      of_rank_(static_cast<std::size_t>(ranks), no_buffer) {}

void batch_buffers::open(int rank, std::uint64_t now_ns) {
  const index i = acquire_unused();
  buffer& opened = at(i);
  opened.opened_ns = now_ns;
  opened.rank = rank;
  opened.before = last_;
  opened.behind = no_buffer;
  (last_ == no_buffer ? first_ : at(last_).behind) = i;
  last_ = i;
  of_rank_[static_cast<std::size_t>(rank)] = i;
  end_of(rank) = {opened.bytes.get(), opened.bytes.get() + bytes_each_};
  ++open_;
}

batch_buffers::index batch_buffers::acquire_unused() {
  if (!unused_.empty()) {
    const index i = unused_.back();
    unused_.pop_back();
    return i;
  }
  unused_.reserve(buffers_.size() + 1);  // so that close never allocates
  buffer made;
  made.bytes = std::make_unique_for_overwrite<std::byte[]>(bytes_each_);
  buffers_.push_back(std::move(made));
  return static_cast<index>(buffers_.size() - 1);
}

std::span<const std::byte> batch_buffers::contents(int rank) const noexcept {
  const auto r = static_cast<std::size_t>(rank);
  return {at(of_rank_[r]).bytes.get(), ends_[r].at};
}

void batch_buffers::close(int rank) noexcept {
  const index i = of_rank_[static_cast<std::size_t>(rank)];
  buffer& closed = at(i);
  (closed.before == no_buffer ? first_ : at(closed.before).behind) = closed.behind;
  (closed.behind == no_buffer ? last_ : at(closed.behind).before) = closed.before;
  closed.rank = none;
  unused_.push_back(i);
  of_rank_[static_cast<std::size_t>(rank)] = no_buffer;
  end_of(rank) = {};
  --open_;
}

}  // namespace far::detail
