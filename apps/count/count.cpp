#include "apps/count/count.hpp"

#include <fmt/format.h>

#include "apps/common/progress.hpp"
#include "apps/common/shared_plan.hpp"
#include "apps/count/items.hpp"
#include "apps/count/pending_counts.hpp"
#include "apps/count/verify.hpp"

namespace far::apps {
namespace {

/// One progress bar for all files. Rank 0's progress through its part is an estimate for all ranks.
class files_progress {
 public:
  files_progress(const world& world, const std::vector<input_plan>& plans)
      : shown_(world.rank() == 0 && bar_.visible()) {
    for (const input_plan& plan : plans) total_ += plan.bytes;
  }

  /// Settings for the reader of the next file.
  input_settings settings(const input_plan& plan) {
    input_settings result;
    if (!shown_) return result;
    const std::uint64_t before = before_;
    before_ += plan.bytes;
    result.on_progress = [this, before, plan](std::uint64_t done, std::uint64_t part) {
      if (part == 0) return bar_.update(before + done, 0);  // a pipe: its length is unknown
      const double share = static_cast<double>(done) / static_cast<double>(part);
      bar_.update(before + static_cast<std::uint64_t>(share * static_cast<double>(plan.bytes)),
                  total_);
    };
    return result;
  }

 private:
  progress_bar bar_{"counting"};
  bool shown_;
  std::uint64_t total_ = 0;
  std::uint64_t before_ = 0;
};

template <class Items>
count_result count_items(world& world, const command& asked, const Items& kind) {
  count_result result;
  const std::uint64_t start_ns = world.now();
  const auto plans = plan_together(world, asked.files, asked.verify);
  count_map<typename Items::item> counts(world);
  pending_counts<typename Items::item> pending(counts);
  {
    files_progress progress(world, plans);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      kind.read(
          asked.files[i], plans[i], part_of(world), progress.settings(plans[i]),
          [&](const auto& item) { pending.add(item); },
          // Receive other ranks' counts while this rank reads.
          [&] { world.progress(); });
    }
    pending.send();
    barrier(world);  // all ranks' counts have arrived
  }
  result.total = allreduce(world, pending.total());
  result.distinct = counts.size();
  result.top = most_frequent(world, most_frequent_here(counts, kind, asked.top), asked.top);
  result.seconds = static_cast<double>(world.now() - start_ns) * 1e-9;
  if (asked.verify && world.rank() == 0) {
    result.verdict = verify_counts(asked, kind, counts, result);
  }
  return result;
}

}  // namespace

count_result count(world& world, const command& asked) {
  return asked.items == item_kind::words ? count_items(world, asked, word_items{})
                                         : count_items(world, asked, kmer_items{asked.kmers});
}

}  // namespace far::apps
