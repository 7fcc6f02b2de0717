#include "far/object/heap/conductor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/object/part.hpp"

namespace far::objects {
namespace {

/// How long threads may take to their next safe points.
constexpr std::uint64_t most_stop_ns = 30'000'000'000;

/// References in one message.
std::size_t batch_of(const part& of) noexcept {
  return (std::min(of.inline_bytes, of.packet_bytes) - sizeof(collect_message)) /
         sizeof(std::uint64_t);
}

/// Fills `to` from the begin of a message.
void copy_references(fabric::payload from, std::vector<std::uint64_t>& to) {
  const auto bytes = std::as_writable_bytes(std::span(to));
  std::ranges::copy(from.first(bytes.size()), bytes.begin());
}

/// The first part of the answer to mark.
struct marked_reply {
  std::uint32_t more;
  std::uint32_t foreign;  ///< references, which follow
};

struct marked : fabric::request {
  marked_reply reply{};
  std::vector<std::uint64_t> foreign;
  bool is_whole = false;

  marked() { on_reply = &keep; }
  static void keep(fabric::request& self, fabric::payload bytes) noexcept {
    auto& me = static_cast<marked&>(self);
    if (bytes.size() < sizeof(me.reply)) return;
    std::memcpy(&me.reply, bytes.data(), sizeof(me.reply));
    bytes = bytes.subspan(sizeof(me.reply));
    if (bytes.size() != me.reply.foreign * sizeof(std::uint64_t)) return;
    me.foreign.resize(me.reply.foreign);
    copy_references(bytes, me.foreign);
    me.is_whole = true;
  }
};

void answer_mark(part& of, fabric::message& message, const collect_message& header) {
  const fabric::payload body = message.bytes().subspan(sizeof(header));
  if (body.size() != header.reached * sizeof(std::uint64_t)) {
    throw_malformed("references of a collection are missing");
  }
  std::vector<std::uint64_t> reached(header.reached);
  copy_references(body, reached);
  std::vector<std::uint64_t> foreign;
  marked_reply reply{};
  {
    const std::scoped_lock lock(of.mutex);
    reply.more = of.collection.mark(reached, batch_of(of), foreign) ? 1 : 0;
  }
  reply.foreign = static_cast<std::uint32_t>(foreign.size());
  std::vector<std::byte> bytes(sizeof(reply) + foreign.size() * sizeof(std::uint64_t));
  std::memcpy(bytes.data(), &reply, sizeof(reply));
  std::ranges::copy(std::as_bytes(std::span(foreign)), bytes.begin() + sizeof(reply));
  message.reply(bytes);
}

/// One thread's messages to all ranks.
class conductor {
 public:
  conductor(const world& world, part& of) noexcept : world_(&world), part_(&of) {}

  /// Returns the rank for which it is called off, or -1. `counts` becomes those after it.
  int collect(collection_counts& counts);
  void resume(const collection_counts& counts);
  void end(int late);

 private:
  template <class Reply>
  struct answers {
    explicit answers(int ranks) : all(static_cast<std::size_t>(ranks)) {}
    [[nodiscard]] int first_missing() const {
      const auto at = std::ranges::find_if(all, [](const auto& p) { return !p.done(); });
      return at == all.end() ? -1 : static_cast<int>(at - all.begin());
    }
    std::deque<homes::request<Reply>> all;
  };

  [[nodiscard]] collect_message message_of(collect_step what) const noexcept {
    return {part_->id, what, -1, 0, 0, {}};
  }
  void send(int rank, const collect_message& header, std::span<const std::uint64_t> body,
            fabric::request& pending, std::size_t reply_bytes);
  template <class Reply>
  void send_all(const collect_message& header, answers<Reply>& to) {
    for (int rank = 0; rank < part_->size; ++rank) {
      send(rank, header, {}, to.all[static_cast<std::size_t>(rank)], sizeof(Reply));
    }
  }
  /// False if the deadline passes first.
  template <class Reply>
  bool wait(const answers<Reply>& awaited, const char* what,
            fabric::deadline_ns deadline = fabric::never) {
    return world_->context().wait([&] { return awaited.first_missing() < 0; }, deadline,
                                  {what, -1, {}});
  }
  [[nodiscard]] swept_memory tell_all(const collect_message& header, const char* what);
  void mark_all();

  const world* world_;
  part* part_;
  answers<bool> stopped_{part_->size};
  bool awaits_ = false;
};

void conductor::send(int rank, const collect_message& header, std::span<const std::uint64_t> body,
                     fabric::request& pending, std::size_t reply_bytes) {
  auto message = homes::message_to(world_->context(), rank, header);
  message.body = std::as_bytes(body);
  message.reply = &pending;
  message.reply_bytes = static_cast<std::uint32_t>(reply_bytes);
  world_->context().send(message);
}

/// The sum of the answers.
swept_memory conductor::tell_all(const collect_message& header, const char* what) {
  answers<swept_memory> told(part_->size);
  send_all(header, told);
  wait(told, what);
  swept_memory sum;
  for (const auto& reply : told.all) {
    const swept_memory& swept = reply.value();
    sum.freed_objects += swept.freed_objects;
    sum.freed_bytes += swept.freed_bytes;
    sum.live_objects += swept.live_objects;
    sum.live_bytes += swept.live_bytes;
  }
  return sum;
}

/// In rounds: each rank that has something to do gets the references that others have found.
void conductor::mark_all() {
  struct target {
    bool has_more = true;
    std::vector<std::uint64_t> found;  ///< of its objects, by others
    std::vector<std::uint64_t> sent;
    std::unique_ptr<marked> asked;
  };
  const std::size_t batch = batch_of(*part_);
  std::vector<target> targets(static_cast<std::size_t>(part_->size));
  for (bool any = true; any;) {
    any = false;
    for (std::size_t rank = 0; rank < targets.size(); ++rank) {
      target& t = targets[rank];
      if (!t.has_more && t.found.empty()) continue;
      any = true;
      const auto rest =
          t.found.end() - static_cast<std::ptrdiff_t>(std::min(batch, t.found.size()));
      t.sent.assign(rest, t.found.end());
      t.found.erase(rest, t.found.end());
      t.asked = std::make_unique<marked>();
      collect_message header = message_of(collect_step::mark);
      header.reached = static_cast<std::uint32_t>(t.sent.size());
      send(static_cast<int>(rank), header, t.sent, *t.asked,
           sizeof(marked_reply) + batch * sizeof(std::uint64_t));
    }
    for (const target& t : targets) {
      if (t.asked != nullptr) world_->context().wait(*t.asked, {"objects to be marked", -1, {}});
    }
    for (target& t : targets) {
      const std::unique_ptr<marked> reply = std::move(t.asked);
      if (reply == nullptr) continue;
      if (!reply->is_whole) throw_malformed("an answer of a collection");  // else objects get lost
      t.has_more = reply->reply.more != 0;
      for (const std::uint64_t bits : reply->foreign) {
        const auto home = static_cast<std::size_t>(place(bits).rank());
        if (home >= targets.size()) throw_malformed("a reference to an object of no rank");
        targets[home].found.push_back(bits);
      }
    }
  }
}

int conductor::collect(collection_counts& counts) {
  const std::uint64_t began = world_->now();
  (void)tell_all(message_of(collect_step::stop), "ranks to stop their threads");
  awaits_ = true;
  send_all(message_of(collect_step::await), stopped_);
  if (!wait(stopped_, "threads to stop at a safe point", began + most_stop_ns)) {
    return stopped_.first_missing();
  }
  const std::uint64_t stopped = world_->now();
  (void)tell_all(message_of(collect_step::recall), "regions that have migrated");
  (void)tell_all(message_of(collect_step::begin), "objects to be marked");
  mark_all();
  const swept_memory swept =
      tell_all(message_of(collect_step::sweep), "unreachable objects to be freed");
  ++counts.count;
  counts.stop_ns = stopped - began;
  counts.pause_ns = world_->now() - stopped;
  counts.freed_objects += swept.freed_objects;
  counts.freed_bytes += swept.freed_bytes;
  counts.live_objects = swept.live_objects;
  counts.live_bytes = swept.live_bytes;
  return -1;
}

void conductor::resume(const collection_counts& counts) {
  collect_message header = message_of(collect_step::resume);
  header.counts = counts;
  (void)tell_all(header, "threads to go on");
  if (awaits_) wait(stopped_, "threads to go on");
}

void conductor::end(int late) {
  collect_message header = message_of(collect_step::end);
  header.late = late;
  answers<swept_memory> told(1);
  send(0, header, {}, told.all[0], sizeof(swept_memory));
  wait(told, "the end of a collection");
}

}  // namespace

void collect_message::receive(const std::shared_ptr<part>& of, const collect_message& header,
                              fabric::message& message) {
  if (header.step == collect_step::mark) return answer_mark(*of, message, header);
  swept_memory swept;
  homes::step(message, of, [&](outbox& out) {
    collector& rank = of->collection;
    switch (header.step) {
      case collect_step::ask:
        rank.ask(out, message.take_token(), header.resumed);
        break;
      case collect_step::await:
        rank.await(out, message.take_token());
        break;
      case collect_step::recall:
        rank.recall(out, message.take_token());
        break;
      case collect_step::end:
        rank.end(out, header.late);
        break;
      case collect_step::stop:
        rank.stop();
        break;
      case collect_step::begin:
        rank.begin();
        break;
      case collect_step::sweep:
        swept = rank.sweep();
        break;
      case collect_step::resume:
        rank.resume(out, header.counts);
        break;
      case collect_step::mark:
        break;
    }
  });
  if (header.step != collect_step::ask && header.step != collect_step::await &&
      header.step != collect_step::recall) {
    message.reply(bytes_of(swept));
  }
}

conductor_lock_answer acquire_conductor_lock(const world& world, const part& of,
                                             std::uint64_t resumed) {
  const collect_message header{of.id, collect_step::ask, -1, 0, resumed, {}};
  homes::request<conductor_lock_answer> pending;
  auto message = homes::message_to(world.context(), 0, header);
  message.reply = &pending;
  message.reply_bytes = sizeof(conductor_lock_answer);
  world.context().send(message);
  world.context().wait(pending, {"a collection of unreachable objects", 0, {}});
  return pending.value();
}

int conduct(const world& world, part& of) {
  collection_counts counts;
  {
    const std::scoped_lock lock(of.mutex);
    counts = of.collection.counts();
  }
  conductor all(world, of);
  int late = -1;
  std::exception_ptr failure;
  try {
    late = all.collect(counts);
  } catch (const rank_failed&) {
    throw;
  } catch (...) {
    failure = std::current_exception();  // threads go on all the same
  }
  all.resume(counts);
  all.end(late);
  if (failure) std::rethrow_exception(failure);
  return late;
}

}  // namespace far::objects
