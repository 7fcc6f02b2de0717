#include "bindings/kv/job_commands.hpp"

#include <utility>

#include "bindings/kv/statistics.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/rpc.hpp"

namespace far::kv {
namespace {

/// Sums what the ranks answer, and passes on the text when all have.
class gathering {
 public:
  gathering(server& here, mailbox& mail, std::shared_ptr<pending_command> to, int answers)
      : here_(here), mail_(mail), to_(std::move(to)), missing_(answers) {}

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
    write_statistics(here_, totals_, text);
    mail_.post([to = std::move(to_), text = std::string(text.text())] { to->finish(text); });
  }

  server& here_;
  mailbox& mail_;
  std::shared_ptr<pending_command> to_;
  statistics totals_;
  int missing_;
};

future<void> gather(server& here, mailbox& mail, std::shared_ptr<pending_command> to,
                    const world& world, const store_view& items) {
  const auto sums = std::make_shared<gathering>(here, mail, std::move(to), 2 * world.size());
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

/// What a rank does for a request that asks for no answer.
void carry_out(server& here, job_request what) {
  switch (what) {
    case job_request::stats_reset:
      return here.reset_counts();
    case job_request::detail_on:
    case job_request::detail_off:
      return here.prefixes().turn(what == job_request::detail_on);
    case job_request::crawler_on:
    case job_request::crawler_off:
      here.crawls = what == job_request::crawler_on;
      return;
    case job_request::crawl:
      return here.crawl();
    case job_request::stats:
    case job_request::detail_dump:
    case job_request::flush:
      return;
  }
}

future<void> tell_all(const world& world, job_request what) {
  std::vector<future<void>> all;
  for (int rank = 0; rank < world.size(); ++rank) {
    all.push_back(rpc(
        world, rank,
        [](rank_state& target, job_request asked) {
          auto& slot = target.get<server_of_rank>();
          const std::scoped_lock lock(slot.mutex);
          if (slot.here != nullptr) carry_out(*slot.here, asked);
        },
        what));
  }
  return when_all(world, std::move(all));
}

future<void> gather_prefixes(mailbox& mail, std::shared_ptr<pending_command> to,
                             const world& world) {
  const auto sums = std::make_shared<prefix_table>();
  std::vector<future<void>> all;
  for (int rank = 0; rank < world.size(); ++rank) {
    all.push_back(rpc(world, rank, [](rank_state& target) {
                    auto& slot = target.get<server_of_rank>();
                    const std::scoped_lock lock(slot.mutex);
                    const prefix_table found =
                        slot.here == nullptr ? prefix_table() : slot.here->prefixes().table();
                    return std::vector<std::pair<std::string, prefix_count>>(found.begin(),
                                                                             found.end());
                  }).then([sums](const std::vector<std::pair<std::string, prefix_count>>& found) {
      for (const auto& [prefix, counts] : found) add_to((*sums)[prefix], counts);
    }));
  }
  return when_all(world, std::move(all)).then([&mail, to = std::move(to), sums] {
    output text;
    write_prefixes(*sums, text);
    mail.post([to, text = std::string(text.text())] { to->finish(text); });
  });
}

void answer_here(server& here, job_request what, const store_view& items, output& out) {
  switch (what) {
    case job_request::flush:
      here.count_flushed(items.counts(0).items);
      return items.erase_all();
    case job_request::stats_reset:
      carry_out(here, what);
      return items.reset_counts();
    case job_request::detail_on:
    case job_request::detail_off:
    case job_request::crawler_on:
    case job_request::crawler_off:
    case job_request::crawl:
      return carry_out(here, what);
    case job_request::detail_dump:
      return write_prefixes(here.prefixes().table(), out);
    case job_request::stats:
      break;
  }
  statistics totals;
  totals.counts = here.counts();
  totals.add(items.counts(0));
  write_statistics(here, totals, out);
}

}  // namespace

future<void> drop_all(server& here, const world& world, const store_view& items) {
  std::vector<future<void>> all;
  for (int rank = 0; rank < world.size(); ++rank) {
    all.push_back(items.counts_async(rank).then(
        [&here](const store_counts& counts) { here.count_flushed(counts.items); }));
  }
  return when_all(world, std::move(all)).then([items] { return items.erase_all_async(); });
}

future<listed_page> list_of_rank(const world& world, int rank, std::uint64_t cursor) {
  return rpc(
      world, rank,
      [](rank_state& target, std::uint64_t from) {
        auto& slot = target.get<server_of_rank>();
        const std::scoped_lock lock(slot.mutex);
        return slot.here == nullptr ? listed_page() : list_page(slot.here->items(), from);
      },
      cursor);
}

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
            return drop_all(here, world, view).then(answer);
          case job_request::stats_reset:
            view.reset_counts();
            return tell_all(world, what).then(answer);
          case job_request::detail_on:
          case job_request::detail_off:
          case job_request::crawler_on:
          case job_request::crawler_off:
          case job_request::crawl:
            return tell_all(world, what).then(answer);
          case job_request::detail_dump:
            return gather_prefixes(mail, to, world);
          case job_request::stats:
            break;
        }
        return gather(here, mail, to, world, view);
      });
  return false;
}

}  // namespace far::kv
