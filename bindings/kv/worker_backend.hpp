#pragma once
// The protocol's seam in a thread of a server.

#include <memory>

#include "bindings/kv/server.hpp"

namespace far::kv {

/// What carries out the commands of one thread's connections: keys whose home is reached by
/// instructions at once, others through the rank's thread for that.
class worker_backend : public backend {
 public:
  worker_backend(server& here, const world& world);

  [[nodiscard]] store_second now_s() override { return items_.now_s(); }
  [[nodiscard]] std::int64_t start_time() override { return here_.start_time(); }
  [[nodiscard]] bool is_here(std::string_view key) override {
    return is_alone_ || items_.is_here(key);
  }
  bool read(std::string_view key, base::function_ref<char*(const item_info&)> place) override {
    return items_.read(key, place);
  }
  store_reply execute(const store_request& request) override { return items_.execute(request); }
  void start(const store_request& request, const std::shared_ptr<pending_command>& to) override;
  bool ask_job(job_request what, output& out, const std::shared_ptr<pending_command>& to) override;
  void ask_sizes(size_report what, const std::shared_ptr<pending_command>& to) override;
  [[nodiscard]] int ranks() override { return here_.ranks(); }
  std::optional<listed_page> list(int rank, std::uint64_t cursor,
                                  const std::shared_ptr<pending_command>& to) override;
  [[nodiscard]] bool crawls() override { return here_.crawls; }
  [[nodiscard]] bool may_add_watcher() override { return here_.may_add_watcher(); }
  bool watch(event_kinds kinds, const std::shared_ptr<pending_command>& to) override;
  /// A connection that has watched has ended.
  void end_watch(event_kinds kinds);
  void flush_at(store_second when) override { here_.flush_at = when; }
  void write_settings(output& out) override;
  void write_connections(output& out) override {
    here_.write_connections(items_.now_s(), turn_of, out);
  }
  void shut_down() override { here_.stop_all(); }
  void set_verbosity(unsigned level) override { here_.verbosity = level; }

  /// What the server does each second: reclaims expired items, and drops all if it is time.
  void tick();
  /// Looks for expired items in all of this rank's part, a little in each turn of the loop.
  void crawl();

  [[nodiscard]] server& of_rank() noexcept { return here_; }
  /// Requests whose answers are still to come to `mail`.
  [[nodiscard]] std::size_t outstanding() const noexcept { return outstanding_; }
  mailbox mail;
  /// Gives lines of the log to this thread's watchers.
  std::function<void(const std::vector<logged_event>&)> show;
  const connection_record* turn_of = nullptr;  ///< the connection whose command is carried out

 private:
  void crawl_on();
  std::shared_ptr<pending_command> counted(const std::shared_ptr<pending_command>& to);

  server& here_;
  store_view items_;
  bool is_alone_;  // all keys are here
  std::size_t outstanding_ = 0;
  std::uint64_t sweeps_left_ = 0;  // of crawl()
};

}  // namespace far::kv
