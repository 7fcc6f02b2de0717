// Starting threads on other ranks.

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <utility>

#include "far/base/error.hpp"
#include "far/homes/message.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {
namespace {

/// The first bytes of what a thread has thrown, for who joins it.
constexpr std::size_t max_text = 200;

}  // namespace

void receive_start(fabric::message& message, void (*run)(void* view, place argument)) {
  const auto header = homes::header_of<start_message>(message);
  const auto of = homes::part_of<part>(message, header.object);
  if (of == nullptr) return message.reply();
  homes::step(message, of, [&](outbox& out) {
    of->starts.push_back({run, place(header.place), message.take_token()});
    of->wake(out);
  });
}

void thread_access::start(int rank, fabric::handler_index handler, place argument,
                          fabric::request& ended) {
  if (rank < 0 || rank >= part_->size) {
    throw bad_argument("object_space::start_thread: there is no rank " + std::to_string(rank) +
                       " of " + std::to_string(part_->size));
  }
  publish();
  {
    const std::scoped_lock lock(part_->mutex);
    part_->started.push_back(argument);
  }
  const start_message header{part_->id, argument.bits()};
  fabric::send_request message;
  message.rank = rank;
  message.handler = handler;
  message.head = bytes_of(header);
  message.reply = &ended;
  message.reply_bytes = max_text;
  world_.context().send(message);
}

void thread_access::join(fabric::request& ended, int rank, place argument) {
  let_others_run();
  outside([&] { world_.context().wait(ended, {"a thread to end", rank, {}}); });
  refresh();
  const std::scoped_lock lock(part_->mutex);
  part_->started.erase(std::ranges::find(part_->started, argument));
}

void thread_access::serve(void* view) {
  for (;;) {
    enter_safe_region();
    std::unique_lock lock(part_->mutex);
    wait_for_change(*part_, lock, world_, "a thread to start", -1, [this] {
      return !part_->collection.is_stopping() && (part_->stopped || !part_->starts.empty());
    });
    me_->parked = false;
    if (part_->starts.empty()) return;
    const start_request next = part_->starts.front();
    part_->starts.pop_front();
    lock.unlock();
    std::string text;
    refresh();
    try {
      next.run(view, next.argument);
    } catch (const rank_failed&) {
      throw;
    } catch (const std::exception& failure) {
      text = failure.what();
      if (text.empty()) text = "unknown error";
      text.resize(std::min(text.size(), max_text));
    }
    publish();
    for (const held_monitor& m : std::exchange(me_->held, {})) {
      leave(place(m.place), m.notified, m.node, m.number);
    }
    world_.context().reply(next.token, std::as_bytes(std::span(text)));
  }
}

void thread_access::stop() {
  for (int rank = 0; rank < part_->size; ++rank) {
    if (rank == part_->rank) continue;
    const stop_message header{part_->id};
    world_.context().send(homes::message_to(world_.context(), rank, header));
  }
  // Not by a message, which could come after the end of this run if nobody here waits for it.
  homes::step(world_.context(), *part_, [&](outbox& out) {
    part_->stopped = true;
    part_->wake(out);
  });
}

}  // namespace far::objects
