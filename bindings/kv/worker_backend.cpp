#include "bindings/kv/worker_backend.hpp"

#include <chrono>
#include <utility>

#include "bindings/kv/job_commands.hpp"
#include "bindings/kv/operation.hpp"

namespace far::kv {
namespace {

constexpr std::chrono::milliseconds crawl_share{1};  // of a thread's time, before others' turn

/// Passes an answer on, and counts it.
class counted_command final : public pending_command {
 public:
  counted_command(std::shared_ptr<pending_command> to, std::size_t& outstanding)
      : to_(std::move(to)), outstanding_(outstanding) {
    ++outstanding_;
  }
  void finish(store_reply&& reply) override {
    --outstanding_;
    to_->finish(std::move(reply));
  }
  void finish(std::string_view text) override {
    --outstanding_;
    to_->finish(text);
  }
  void finish(const listed_page& page) override {
    --outstanding_;
    to_->finish(page);
  }

 private:
  std::shared_ptr<pending_command> to_;
  std::size_t& outstanding_;
};

}  // namespace

worker_backend::worker_backend(server& here, const world& world)
    : here_(here), items_(here.items().on(world)), is_alone_(here.ranks() == 1) {
  settings = here.protocol_options();
  prefixes = &here.prefixes();
  log = &here.log();
}

void worker_backend::start(const store_request& request,
                           const std::shared_ptr<pending_command>& to) {
  operation asked;
  asked.request = request;
  here_.remote().post([this, to = counted(to), owned = std::make_unique<owned_operation>(asked)](
                          const world& /*world*/, const store_view& items) {
    return items.execute_async(owned->op.request).then([this, to](store_reply reply) {
      mail.post([to, reply = std::move(reply)]() mutable { to->finish(std::move(reply)); });
    });
  });
}

bool worker_backend::ask_job(job_request what, output& out,
                             const std::shared_ptr<pending_command>& to) {
  return ask_all_ranks(here_, what, items_, mail, out, is_alone_ ? to : counted(to));
}

void worker_backend::ask_sizes(size_report what, const std::shared_ptr<pending_command>& to) {
  kv::ask_sizes(here_, what, mail, counted(to));
}

std::optional<listed_page> worker_backend::list(int rank, std::uint64_t cursor,
                                                const std::shared_ptr<pending_command>& to) {
  if (is_alone_) return list_page(items_, cursor);
  here_.remote().post(
      [this, rank, cursor, to = counted(to)](const world& world, const store_view& /*items*/) {
        return list_of_rank(world, rank, cursor).then([this, to](listed_page page) {
          mail.post([to, page = std::move(page)] { to->finish(page); });
        });
      });
  return std::nullopt;
}

bool worker_backend::watch(event_kinds kinds, const std::shared_ptr<pending_command>& to) {
  counts.add(count::log_watchers);
  const auto waiting = is_alone_ ? to : counted(to);
  return here_.change_watchers(
      kinds, 1, [this, waiting] { mail.post([waiting] { waiting->finish(std::string_view()); }); });
}

void worker_backend::end_watch(event_kinds kinds) {
  counts.subtract(count::log_watchers);
  here_.change_watchers(kinds, -1, {});
}

std::shared_ptr<pending_command> worker_backend::counted(
    const std::shared_ptr<pending_command>& to) {
  return std::make_shared<counted_command>(to, outstanding_);
}

void worker_backend::write_settings(output& out) { kv::write_settings(here_, out); }

void worker_backend::tick() {
  store_second when = here_.flush_at;
  if (when != 0 && when <= items_.now_s() && here_.flush_at.compare_exchange_strong(when, 0)) {
    if (here_.ranks() == 1) {
      here_.count_flushed(items_.counts(0).items);
      items_.erase_all();
    } else {
      here_.remote().post([this](const world& world, const store_view& items) {
        return drop_all(here_, world, items);
      });
    }
  }
  if (!here_.crawls) return;
  const departures::search searching;
  // A thousandth of the thread's time.
  const auto end = std::chrono::steady_clock::now() + crawl_share;
  do {
    counts.add(count::crawler_reclaimed, items_.sweep());
  } while (std::chrono::steady_clock::now() < end);
}

void worker_backend::crawl() {
  if (sweeps_left_ > 0) return;
  counts.add(count::lru_crawler_starts);
  counts.add(count::lru_crawler_running);
  sweeps_left_ = items_.sweeps();
  crawl_on();
}

void worker_backend::crawl_on() {
  const departures::search searching;
  const auto end = std::chrono::steady_clock::now() + crawl_share;
  do {
    counts.add(count::crawler_reclaimed, items_.sweep());
  } while (--sweeps_left_ > 0 && std::chrono::steady_clock::now() < end);
  if (sweeps_left_ > 0) {
    mail.post([this] { crawl_on(); });
  } else {
    counts.subtract(count::lru_crawler_running);
  }
}

}  // namespace far::kv
