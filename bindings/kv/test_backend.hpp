#pragma once
// The protocol over a store of one rank, without sockets.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "bindings/kv/backend.hpp"
#include "bindings/kv/operation.hpp"
#include "bindings/kv/protocol.hpp"
#include "far/far.hpp"
#include "far/store/store.hpp"

namespace far::kv::testing {

/// Keys that begin with "far" are elsewhere: their requests wait until answer().
class test_backend : public backend {
 public:
  explicit test_backend(store& items) : items_(items) {}

  store_second now_s() override { return items_.now_s(); }
  std::int64_t start_time() override { return 1'000'000'000; }
  bool is_here(std::string_view key) override { return !key.starts_with("far"); }
  bool read(std::string_view key, base::function_ref<char*(const item_info&)> place) override {
    return items_.read(key, place);
  }
  store_reply execute(const store_request& request) override { return items_.execute(request); }
  void start(const store_request& request, const std::shared_ptr<pending_command>& to) override {
    operation asked;
    asked.request = request;
    waiting_.push_back({std::make_unique<owned_operation>(asked), to});
  }
  bool ask_job(job_request what, output& out, const std::shared_ptr<pending_command>& to) override {
    if (what == job_request::flush) items_.erase_all();
    if (what == job_request::crawler_on || what == job_request::crawler_off) {
      looks_for_expired = what == job_request::crawler_on;
    }
    if (answers_jobs_later) {
      job_ = to;
      return false;
    }
    if (what == job_request::stats) out << "STAT test 1\r\n";
    return true;
  }
  void ask_sizes(size_report /*what*/, const std::shared_ptr<pending_command>& to) override {
    job_ = to;
  }
  int ranks() override { return 1; }
  std::optional<listed_page> list(int /*rank*/, std::uint64_t cursor,
                                  const std::shared_ptr<pending_command>& to) override {
    if (answers_jobs_later) {
      job_ = to;
      return std::nullopt;
    }
    return list_page(items_, cursor);
  }
  bool may_add_watcher() override { return true; }
  bool watch(event_kinds kinds, const std::shared_ptr<pending_command>& to) override {
    if (log != nullptr) log->set_wanted(0, 1, kinds);
    if (answers_jobs_later) job_ = to;
    return !answers_jobs_later;
  }
  bool crawls() override { return looks_for_expired; }
  void flush_at(store_second when) override { flush_second = when; }
  void write_settings(output& out) override { out << "STAT setting 1\r\n"; }
  void write_connections(output& out) override { out << "STAT 1:state conn_read\r\n"; }
  void shut_down() override { has_shut_down = true; }
  void set_verbosity(unsigned level) override { verbosity = level; }

  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  /// Carries out the n-th of the requests that wait.
  void answer(std::size_t n = 0) {
    const auto [asked, to] = std::move(waiting_.at(n));
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(n));
    to->finish(items_.execute(asked->op.request));
  }

  /// Answers a request of the job.
  void answer_job(std::string_view text) { std::exchange(job_, nullptr)->finish(text); }
  /// The same for a page of a list.
  void answer_list(const listed_page& page) { std::exchange(job_, nullptr)->finish(page); }

  bool answers_jobs_later = false;
  bool looks_for_expired = true;
  store_second flush_second = 0;
  unsigned verbosity = 0;
  bool has_shut_down = false;

 private:
  struct waiting_request {
    std::unique_ptr<owned_operation> asked;
    std::shared_ptr<pending_command> to;
  };
  store& items_;
  std::deque<waiting_request> waiting_;
  std::shared_ptr<pending_command> job_;
};

/// A client of one connection.
class test_client {
 public:
  explicit test_client(test_backend& to, int socket = -1)
      : protocol(
            to, [this] { ++answers; }, socket) {}

  /// Sends bytes, and returns the replies that are there.
  std::string send(std::string_view bytes) {
    input_ += bytes;
    return take();
  }
  /// The same for what has not been used yet.
  std::string take() {
    output replies;
    protocol.collect(replies);
    input_.erase(0, protocol.take(input_, replies));
    return std::string(replies.text());
  }
  [[nodiscard]] std::size_t unused() const { return input_.size(); }

  kv::protocol protocol;
  int answers = 0;

 private:
  std::string input_;
};

/// Runs `body(backend)` on a store of its own.
inline void with_store(const std::function<void(test_backend&)>& body) {
  run_options options;
  options.ranks = 1;
  far::run(options, [&](world& world) {
    store items(world, {.memory_bytes = 8 << 20});
    test_backend backend(items);
    body(backend);
  });
}

}  // namespace far::kv::testing
