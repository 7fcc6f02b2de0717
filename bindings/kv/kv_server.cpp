#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bindings/kv/event_worker.hpp"
#include "bindings/kv/server.hpp"
#include "far/base/error.hpp"
#include "far/base/threads.hpp"
#include "far/kv/server.hpp"
#include "far/team/collective_scope.hpp"

namespace far {
namespace kv {
namespace {

void work(server& here, const world& world, int number) {
  std::optional<worker> mine;
  std::exception_ptr failure;
  try {
    mine.emplace(here, world, number);
    mine->run();
  } catch (...) {
    failure = std::current_exception();
    here.fail();
  }
  here.leave();  // until then others may post to it
  if (failure) std::rethrow_exception(failure);
}

void ask_others(server& here, const world& world) {
  try {
    here.remote().run(world, here.items().on(world));
  } catch (...) {
    here.fail();
    throw;
  }
}

/// A context for each thread of the server. Only the thread that runs the rank may open them.
std::vector<std::unique_ptr<fabric::context>> open_contexts(const world& world, int threads) {
  std::vector<std::unique_ptr<fabric::context>> contexts;
  for (int i = 0; i < threads; ++i) contexts.push_back(world.fabric().open_context());
  return contexts;
}

const world& checked(const world& world, const kv_server_options& options) {
  if (world.fabric().simulated()) {
    throw bad_argument(
        "far::kv_server: a simulated job has no sockets to serve; start it by far run");
  }
  if (options.threads < 0) {
    throw bad_argument(fmt::format("far::kv_server: {} threads: 0 chooses", options.threads));
  }
  return world;
}

}  // namespace
}  // namespace kv

struct kv_server::parts {
  parts(const far::world& of, const store& items, const kv_server_options& options)
      : world(kv::checked(of, options)),
        here(of, items, options),
        workers(here.threads()),
        contexts(kv::open_contexts(of, workers + (of.size() > 1 ? 1 : 0))) {}

  void start() {
    here.listeners = kv::share_listeners(world, here.options());
    for (const kv::descriptor& socket : here.listeners) {
      addresses.push_back(kv::address_of(socket.number()));
    }
    const auto body = [this](int i) { run(i); };
    threads.emplace(static_cast<int>(contexts.size()), "a thread of a server,", body);
  }
  void run(int i) {
    try {
      const far::world mine(world.state(), *contexts[static_cast<std::size_t>(i)], i + 1);
      if (i < workers) {
        kv::work(here, mine, i);
      } else {
        kv::ask_others(here, mine);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  }
  void wait() {
    // One more thread joins the others, so that this one serves other ranks' calls as it does in
    // world.threads, and the threads spin if they have a core each, although this one does not.
    world.fabric().run_threads(world.context(), 1, [this](int) { threads->join(); });
    const std::scoped_lock lock(mutex);
    if (const auto thrown = std::exchange(failure, nullptr)) std::rethrow_exception(thrown);
  }
  /// When all ranks have come to the end of the server's life.
  void finish() noexcept {
    here.stop();
    try {
      wait();
    } catch (...) {
      world.state().keep(std::current_exception());
    }
  }

  far::world world;
  kv::server here;
  std::vector<std::string> addresses;
  int workers;
  std::vector<std::unique_ptr<fabric::context>> contexts;
  std::mutex mutex;
  std::exception_ptr failure;  // under mutex
  std::optional<base::thread_group> threads;
  collective_scope scope;
};

kv_server::kv_server(const world& world, const store& items, const kv_server_options& options)
    : parts_(std::make_unique<parts>(world, items, options)) {
  parts_->start();
}

kv_server::~kv_server() {
  // Until all have stopped, ranks call each other's servers.
  parts_->scope.leave(parts_->world, [this] { parts_->finish(); });
  parts_->here.fail();  // for threads that run on, where an exception or the job's failure ends it
}

const std::vector<std::string>& kv_server::addresses() const noexcept { return parts_->addresses; }

void kv_server::stop() noexcept { parts_->here.signal().tell(); }

bool kv_server::is_stopping() const noexcept { return parts_->here.is_stopping(); }

void kv_server::wait() { parts_->wait(); }

}  // namespace far
