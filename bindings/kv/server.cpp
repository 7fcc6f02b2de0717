#include "bindings/kv/server.hpp"

#include <unistd.h>

#include <ctime>

#include "bindings/kv/item_size.hpp"
#include "bindings/kv/worker_backend.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/rpc.hpp"

namespace far::kv {
namespace {

int ranks_of_machine(const world& world) {
  int ranks = 0;
  for (int rank = 0; rank < world.size(); ++rank) {
    if (world.node_of(rank) == world.node_of(world.rank())) ++ranks;
  }
  return ranks;
}

int threads_for(const world& world, const kv_server_options& asked) {
  if (asked.threads != 0) return asked.threads;
  constexpr int alone = 4;
  return world.size() == 1 ? alone : 1;
}

}  // namespace

server::told::told(const world& world, const store& items, std::size_t log_bytes)
    : log(world.rank(), world.size(), log_bytes),
      leaving(log, memcached_item_bytes(items.options().max_item_bytes),
              [&items] { return items.now_s(); }) {}

server::server(const world& world, const store& items, const kv_server_options& asked)
    : asked_(asked),
      items_(items),
      told_(std::make_shared<told>(world, items, asked.log_bytes)),
      log_(told_->log),
      departures_(told_->leaving),
      state_(world.state()),
      rank_(world.rank()),
      ranks_(world.size()),
      threads_(threads_for(world, asked)),
      max_connections_((asked.max_connections + ranks_of_machine(world) - 1) /
                       ranks_of_machine(world)),
      start_time_(std::time(nullptr) - static_cast<std::int64_t>(items.now_s())),
      prefixes_(asked.prefix_end, asked.counts_prefixes),
      signal_(asked.stops_at_signals) {
  if (!asked.auth_file.empty()) users_.emplace(asked.auth_file);
  verbosity = static_cast<unsigned>(asked.verbosity);
  crawls = asked.crawls;
  log_.set_wake([this] { wake_log(); });
  items.observe({told_, &told_->leaving});
  auto& slot = state_->get<server_of_rank>();
  const std::scoped_lock lock(slot.mutex);
  slot.here = this;
}

server::~server() {
  log_.set_wake({});
  auto& slot = state_->get<server_of_rank>();
  const std::scoped_lock lock(slot.mutex);
  slot.here = nullptr;
}

std::size_t server::max_item_bytes() const noexcept {
  return memcached_item_bytes(items_.options().max_item_bytes);
}

protocol_settings server::protocol_options() const {
  return {.max_item_bytes = max_item_bytes(),
          .uses_cas = asked_.uses_cas,
          .may_flush = asked_.may_flush,
          .may_shut_down = asked_.may_shut_down,
          .may_dump = asked_.may_dump,
          .may_watch = asked_.may_watch,
          .commands_per_turn = asked_.commands_per_turn,
          .users = users_ ? &*users_ : nullptr};
}

void server::add(const worker_record& worker) {
  const std::scoped_lock lock(mutex_);
  workers_.push_back(worker);
  if (is_stopping()) worker.mail->post([] {});  // it has missed that
}

worker_record server::worker_for(std::size_t turn) {
  const std::scoped_lock lock(mutex_);
  return workers_[turn % workers_.size()];
}

void server::leave() {
  std::unique_lock lock(mutex_);
  if (++left_ == threads_) {
    workers_.clear();
    listeners.clear();
    // Before the server has ended, so that it is never the next one's.
    if (!asked_.socket_path.empty()) unlink(asked_.socket_path.c_str());
    remote_.stop();
    all_left_.notify_all();
  } else {
    all_left_.wait(lock, [&] { return left_ == threads_; });
  }
}

void server::add(const connection_record& connection) {
  const std::scoped_lock lock(mutex_);
  connections_.insert(&connection);
}

void server::remove(const connection_record& connection) {
  const std::scoped_lock lock(mutex_);
  connections_.erase(&connection);
}

void server::write_connections(store_second now, const connection_record* asking, output& out) {
  const std::scoped_lock lock(mutex_);
  for (const descriptor& socket : listeners) {
    out << "STAT " << socket.number() << ":addr " << stated_address(socket.number(), false);
    out << "\r\nSTAT " << socket.number() << ":state conn_listening\r\n";
  }
  for (const connection_record* const each : connections_) {
    const char* const state = each == asking           ? "conn_parse_cmd"
                              : each->is_reading_value ? "conn_nread"
                                                       : "conn_read";
    out << "STAT " << each->socket << ":addr " << stated_address(each->socket, true);
    out << "\r\nSTAT " << each->socket << ":listen_addr " << stated_address(each->socket, false);
    out << "\r\nSTAT " << each->socket << ":state " << std::string_view(state);
    const store_second last = each->last_command;
    out << "\r\nSTAT " << each->socket << ":secs_since_last_cmd " << (now > last ? now - last : 0);
    out << "\r\n";
  }
}

void server::crawl() {
  const std::scoped_lock lock(mutex_);
  if (workers_.empty()) return;  // it is ending
  const worker_record& first = workers_.front();
  first.mail->post([at = first.here] { at->crawl(); });
}

count_values server::counts() {
  count_values sums{};
  const std::scoped_lock lock(mutex_);
  for (const worker_record& worker : workers_) worker.counts->add_to(sums);
  sums[static_cast<std::size_t>(count::reclaimed)] += flushed_;
  sums[static_cast<std::size_t>(count::log_worker_written)] += log_.written();
  sums[static_cast<std::size_t>(count::log_worker_dropped)] += log_.dropped();
  return sums;
}

void server::reset_counts() {
  flushed_ = 0;
  log_.reset_counts();
  departures_.reset();
  prefixes_.clear();
  const std::scoped_lock lock(mutex_);
  for (const worker_record& worker : workers_) worker.counts->reset();
}

void server::stop() {
  is_stopping_.store(true, std::memory_order_release);
  const std::scoped_lock lock(mutex_);
  for (const worker_record& worker : workers_) worker.mail->post([] {});
}

void server::fail() {
  has_failed_.store(true, std::memory_order_release);
  stop();
}

void server::stop_all() {
  if (is_stopping_.exchange(true)) return;
  if (ranks_ > 1) {
    // Answered, so that none is still on its way when the ranks have another server.
    remote_.post([this](const world& world, const store_view& /*items*/) {
      std::vector<future<void>> all;
      for (int rank = 0; rank < ranks_; ++rank) {
        if (rank == rank_) continue;
        all.push_back(rpc(world, rank, [](rank_state& target) {
          auto& slot = target.get<server_of_rank>();
          const std::scoped_lock lock(slot.mutex);
          if (slot.here != nullptr) slot.here->stop();
        }));
      }
      return when_all(world, std::move(all));
    });
  }
  stop();
}

}  // namespace far::kv
