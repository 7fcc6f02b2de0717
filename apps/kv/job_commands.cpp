#include "apps/kv/job_commands.hpp"

#include <utility>

#include "apps/kv/statistics.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/rpc.hpp"

namespace far::apps::kv {
namespace {

/// Sums what the ranks answer, and passes on the text when all have.
class gathering {
 public:
  gathering(server& here, job_request what, mailbox& mail, std::shared_ptr<pending_command> to,
            int answers)
      : here_(here), what_(what), mail_(mail), to_(std::move(to)), missing_(answers) {}

  void add(const count_values& counts) {
    for (std::size_t i = 0; i < number_of_counts; ++i) totals_.counts[i] += counts[i];
    count_down();
  }
  void add(const store_counts& counts) {
    totals_.add(counts);
    count_down();
  }

 private:
  void count_down() {
    if (--missing_ > 0) return;
    output text;
    write_statistics(here_, what_, totals_, text);
    mail_.post([to = std::move(to_), text = std::string(text.text())] { to->finish(text); });
  }

  server& here_;
  job_request what_;
  mailbox& mail_;
  std::shared_ptr<pending_command> to_;
  statistics totals_;
  int missing_;
};

future<void> gather(server& here, job_request what, mailbox& mail,
                    std::shared_ptr<pending_command> to, const world& world,
                    const store_view& items) {
  const auto sums = std::make_shared<gathering>(here, what, mail, std::move(to), 2 * world.size());
  std::vector<future<void>> all;
  for (int rank = 0; rank < world.size(); ++rank) {
    all.push_back(rpc(world, rank, [](rank_state& target) {
                    auto& slot = target.get<server_of_rank>();
                    const std::scoped_lock lock(slot.mutex);
                    return slot.here == nullptr ? count_values{} : slot.here->counts();
                  }).then([sums](const count_values& counts) { sums->add(counts); }));
    all.push_back(
        items.counts_async(rank).then([sums](const store_counts& counts) { sums->add(counts); }));
  }
  return when_all(world, std::move(all));
}

future<void> reset_all(const world& world) {
  std::vector<future<void>> all;
  for (int rank = 0; rank < world.size(); ++rank) {
    all.push_back(rpc(world, rank, [](rank_state& target) {
      auto& slot = target.get<server_of_rank>();
      const std::scoped_lock lock(slot.mutex);
      if (slot.here != nullptr) slot.here->reset_counts();
    }));
  }
  return when_all(world, std::move(all));
}

void answer_here(server& here, job_request what, const store_view& items, output& out) {
  switch (what) {
    case job_request::flush:
      return items.erase_all();
    case job_request::stats_reset:
      here.reset_counts();
      return items.reset_counts();
    case job_request::stats:
    case job_request::stats_items:
    case job_request::stats_slabs:
      break;
  }
  statistics totals;
  totals.counts = here.counts();
  totals.add(items.counts(0));
  write_statistics(here, what, totals, out);
}

}  // namespace

bool ask_all_ranks(server& here, job_request what, const store_view& items, mailbox& mail,
                   output& out, const std::shared_ptr<pending_command>& to) {
  if (here.ranks() == 1) {
    answer_here(here, what, items, out);
    return true;
  }
  const auto answer = [&mail, to] { mail.post([to] { to->finish(std::string_view()); }); };
  here.remote().post(
      [&here, what, &mail, to, answer](const world& world, const store_view& view) -> future<void> {
        switch (what) {
          case job_request::flush:
            return view.erase_all_async().then(answer);
          case job_request::stats_reset:
            view.reset_counts();
            return reset_all(world).then(answer);
          case job_request::stats:
          case job_request::stats_items:
          case job_request::stats_slabs:
            break;
        }
        return gather(here, what, mail, to, world, view);
      });
  return false;
}

}  // namespace far::apps::kv
