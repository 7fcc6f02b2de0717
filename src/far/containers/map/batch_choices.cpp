#include "far/containers/map/batch_choices.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace far::containers {

namespace {

/// The class of a batch's size: by its keys per rank of the job.
std::size_t size_of(std::size_t keys, std::size_t ranks, std::size_t sizes) noexcept {
  const auto bits = static_cast<std::size_t>(std::bit_width(keys / ranks));
  return std::min(bits / 4, sizes - 1);
}

// Multiplies the cost of calls that leave out some ranks. So the chooser, which requires a gain of
// 7 %, chooses them only for a gain of a fifth.
constexpr double charge_of_some = 0.93 / 0.8;

double or_expected(const model::estimate& seen, double expected) {
  return seen.is_observed() ? seen.mean() : expected;
}

}  // namespace

batch_choices::batch_choices(std::size_t kinds)
    : entries_(sizes * kinds), whole_(entries_, 0), which_calls_(entries_, 0) {}

planned_batch batch_choices::choose(std::vector<std::uint32_t> of_ranks, std::size_t kind,
                                    model::way_costs expected, double first_ns) {
  planned_batch batch;
  std::size_t keys = 0;
  for (const std::uint32_t of_rank : of_ranks) {
    keys += of_rank;
    batch.ranks_ += of_rank != 0 ? 1 : 0;
  }
  batch.called_.resize(of_ranks.size());
  batch.answer_ns_.resize(of_ranks.size());
  batch.of_ranks_ = std::move(of_ranks);
  if (batch.ranks_ == 0) return batch;
  batch.size_ = size_of(keys, batch.of_ranks_.size(), sizes);
  // Many keys share a call.
  expected.call /= static_cast<double>(std::size_t{1} << (2 * batch.size_ + 1));

  const std::size_t entry = batch.size_ * (entries_ / sizes) + kind;
  const auto direct = static_cast<std::uint32_t>(entry);
  const double one_sided = or_expected(whole_.one_sided(entry), expected.one_sided);
  const std::scoped_lock lock(mutex_);
  const model::answer_times& answers = answers_[batch.size_];
  const model::batch_split split = answers.best_split(batch.of_ranks_, {first_ns, one_sided});
  const double all = or_expected(which_calls_.call(entry), expected.call);
  const double some = split.leaves_out_some() ? or_expected(which_calls_.one_sided(entry),
                                                            charge_of_some * split.share * all) /
                                                    charge_of_some
                                              : all;

  const auto to_some = static_cast<std::uint32_t>(entries_ + entry);
  batch.whole_ = whole_.choose(direct, some < all ? to_some : direct,
                               {expected.one_sided, std::min(some, all)});
  std::size_t left_out = 0;
  if (batch.whole_.how == model::way::call) {
    batch.which_calls_ = {model::way::call, false, direct, direct, 0};
    if (split.leaves_out_some()) {
      batch.which_calls_ = which_calls_.choose(direct, direct, {charge_of_some * some, all});
    }
    const bool to_all = batch.which_calls_.how == model::way::call;
    batch.whole_.call = to_all ? direct : to_some;
    for (std::size_t rank = 0; rank < batch.of_ranks_.size(); ++rank) {
      const std::uint32_t of_rank = batch.of_ranks_[rank];
      if (of_rank == 0) continue;
      const bool is_late = answers.of(rank) > split.slowest_ns;
      left_out += is_late ? 1 : 0;
      if (is_late && !to_all) continue;
      batch.called_[rank] = true;
      batch.called_keys_ += of_rank;
    }
  }
  count(batch, left_out);
  return batch;
}

/// `left_out`: how many ranks calls to some leave out, whether that was chosen or not.
void batch_choices::count(const planned_batch& batch, std::size_t left_out) {
  const bool is_split = batch.calls_any() && batch.which_calls_.how == model::way::one_sided;
  if (is_split) left_out_.resize(batch.of_ranks_.size());
  for (std::size_t rank = 0; rank < batch.of_ranks_.size(); ++rank) {
    if (batch.of_ranks_[rank] == 0) continue;
    ++(batch.called_[rank] ? counts_.calls : counts_.one_sided);
    if (is_split && !batch.called_[rank]) ++left_out_[rank];
  }
  if (batch.whole_.explores) {
    counts_.explored += batch.ranks_;
  } else if (batch.which_calls_.explores) {
    counts_.explored += left_out;
  }
}

void batch_choices::observe(const planned_batch& batch, double ns) {
  if (batch.ranks_ == 0) return;
  whole_.observe(batch.whole_, ns);
  if (!batch.calls_any()) return;
  const bool to_all = batch.which_calls_.how == model::way::call;
  which_calls_.observe(batch.which_calls_, to_all ? ns : charge_of_some * ns);
  const std::scoped_lock lock(mutex_);
  for (std::size_t rank = 0; rank < batch.answer_ns_.size(); ++rank) {
    const std::uint64_t answer_ns = batch.answer_ns_[rank];
    if (answer_ns != 0) answers_[batch.size_].observe(rank, static_cast<double>(answer_ns));
  }
}

model::choice_counts batch_choices::counted() const {
  const std::uint64_t switched = whole_.counted().switched + which_calls_.counted().switched;
  const std::scoped_lock lock(mutex_);
  model::choice_counts counts = counts_;
  counts.switched = switched;
  return counts;
}

std::string batch_choices::explain() const {
  constexpr std::size_t max_job_ranks = 4;
  const std::scoped_lock lock(mutex_);
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < left_out_.size(); ++rank) {
    if (left_out_[rank] != 0) ranks.push_back(rank);
  }
  const std::size_t all = ranks.size();
  std::ranges::stable_sort(ranks, std::greater<>(),
                           [&](std::size_t rank) { return left_out_[rank]; });
  ranks.resize(std::min(all, max_job_ranks));
  std::string text;
  for (const std::size_t rank : ranks) {
    double slowest_ns = 0;
    for (const model::answer_times& answers : answers_) {
      slowest_ns = std::max(slowest_ns, answers.of(rank));
    }
    text +=
        fmt::format("batches by calls left out rank {}, {} times: it answered after {:.0f} ns\n",
                    rank, left_out_[rank], slowest_ns);
  }
  if (all > ranks.size()) text += fmt::format("and {} more ranks\n", all - ranks.size());
  return text;
}

}  // namespace far::containers
