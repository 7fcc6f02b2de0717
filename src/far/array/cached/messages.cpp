#include "far/array/cached/messages.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "far/array/cached/part.hpp"
#include "far/base/error.hpp"
#include "far/rpc/store.hpp"

namespace far::cached {
namespace {

void send_answers(fabric::message& message, std::vector<lock_answer>&& answers) {
  if (answers.empty()) return;
  message.defer([answers = std::move(answers)](fabric::context& lane) {
    for (const lock_answer& a : answers) {
      lane.reply(a.token, std::as_bytes(std::span(&a.granted, 1)));
    }
  });
}

void check_lock(const part& of, const lock_header& what) noexcept {
  FAR_CHECK(what.index < of.map.size() && of.map.owner(what.index) == of.rank &&
                what.what <= lock_request::try_shared,
            "cached_array: a message about a lock is malformed");
}

struct lock_handler {
  static void run(fabric::message& message) {
    const auto header = header_of<lock_header>(message);
    const fabric::reply_token token = message.take_token();
    std::vector<lock_answer> answers;
    if (const auto of = part_at(message, header.object)) {
      check_lock(*of, header);
      const std::scoped_lock lock(of->mutex);
      of->locks.request(answers, header.index, header.what, token);
    } else {
      answers.push_back({token, false});
    }
    send_answers(message, std::move(answers));
  }
};

struct unlock_handler {
  static void run(fabric::message& message) {
    const auto header = header_of<lock_header>(message);
    std::vector<lock_answer> answers;
    if (const auto of = part_at(message, header.object)) {
      check_lock(*of, header);
      const std::scoped_lock lock(of->mutex);
      of->locks.release(answers, header.index, header.what == lock_request::shared);
    }
    send_answers(message, std::move(answers));
  }
};

struct late_handler {
  static void run(fabric::message& message) {
    const auto header = header_of<late_header>(message);
    const fabric::payload value = message.bytes().subspan(sizeof(header));
    fabric::reply_token token;
    late_caller caller;
    if (message.expects_reply()) {
      token = message.take_token();
    } else {
      caller = {message.source(), header.lane, header.number};
    }
    const auto of = part_at(message, header.object);
    if (of == nullptr) {
      message.defer([token, caller, object = header.object](fabric::context& lane) {
        caller.rank < 0 ? lane.reply(token) : send_late_answer(lane, object, caller, {});
      });
      return;
    }
    check_own_chunk(*of, header.chunk);
    const std::size_t bytes = of->bytes_of(header.chunk);
    const int lanes = message.lane().owner().lanes();
    FAR_CHECK(header.what == right::read || header.what == right::write,
              "cached_array: a request for an unknown access");
    FAR_CHECK(header.offset < bytes && header.offset % of->element_bytes == 0,
              "cached_array: a request names an element outside the array");
    FAR_CHECK(value.size() == (header.what == right::write ? of->element_bytes : 0),
              "cached_array: a request for an access has a wrong length");
    FAR_CHECK(header.lane >= 0 && header.lane < lanes, "cached_array: a request names no lane");
    outbox out;
    {
      const std::scoped_lock lock(of->mutex);
      of->lines.access_late(
          out, header.chunk,
          {token, caller, header.what, header.offset, {value.begin(), value.end()}});
    }
    flush_in_task(message, of, std::move(out));
  }
};

struct late_answer_handler {
  static void run(fabric::message& message) {
    const auto header = header_of<late_answer_header>(message);
    const auto of = part_at(message, header.object);
    if (of == nullptr) return;
    fabric::request* pending = nullptr;
    {
      const std::scoped_lock lock(of->mutex);
      pending = of->late.take(header.number);
    }
    const fabric::payload element = message.bytes().subspan(sizeof(header));
    FAR_CHECK(pending != nullptr && element.size() <= of->element_bytes,
              "cached_array: an answer to an access that nobody awaits");
    pending->on_reply(*pending, element);
    message.defer([pending](fabric::context&) { pending->end(); });
  }
};

struct pending_lock : fabric::request {
  bool granted = false;
  static void on_answer(fabric::request& self, fabric::payload bytes) noexcept {
    FAR_CHECK(bytes.size() == sizeof(bool), "cached_array: an answer about a lock is malformed");
    static_cast<pending_lock&>(self).granted = bytes.front() != std::byte{};
  }
};

}  // namespace

void check_chunk(const part& of, std::uint64_t chunk) noexcept {
  FAR_CHECK(chunk < of.map.chunks(), "cached_array: a message names a chunk outside the array");
}

void check_own_chunk(const part& of, std::uint64_t chunk) noexcept {
  FAR_CHECK(of.is_home_of(chunk), "cached_array: a message names a chunk of another rank");
}

void check_right(right what) noexcept {
  FAR_CHECK(static_cast<std::size_t>(what) < rights, "cached_array: a message names no right");
}

void send_late(const world& view, part& of, late_header what, fabric::payload value,
               fabric::request& pending) {
  fabric::context& context = view.context();
  fabric::send_request message;
  message.rank = of.map.owner_of_chunk(what.chunk);
  message.handler = fabric::handler_of<late_handler>::index();
  message.head = std::as_bytes(std::span(&what, 1));
  message.body = value;
  if (far::detail::is_lane(context)) {
    what.lane = context.lane_index();
    message.kind = fabric::message_class::forward;
    pending.begin();
    const std::scoped_lock lock(of.mutex);
    what.number = of.late.add(pending);
  } else {
    message.reply = &pending;
    message.reply_bytes = static_cast<std::uint32_t>(value.empty() ? of.element_bytes : 1);
  }
  context.send(message);
}

void send_late_answer(fabric::context& context, containers::object_id object, const late_caller& to,
                      fabric::payload element) {
  const late_answer_header header{object, to.number};
  fabric::send_request message;
  message.rank = to.rank;
  message.lane = to.lane;
  message.handler = fabric::handler_of<late_answer_handler>::index();
  if (far::detail::is_lane(context)) message.kind = fabric::message_class::forward;
  message.head = std::as_bytes(std::span(&header, 1));
  message.body = element;
  context.send(message);
}

void receive_want(fabric::message& message, const operation* op) {
  const auto header = header_of<want_header>(message);
  const auto of = part_at(message, header.object);
  if (of == nullptr) return;
  const fabric::payload items = message.bytes().subspan(sizeof(header));
  check_right(header.what);
  FAR_CHECK(items.size() == header.count * sizeof(want_item) &&
                (header.what == right::operate) == (op != nullptr),
            "cached_array: a request for rights is malformed");
  outbox out;
  {
    const std::scoped_lock lock(of->mutex);
    for (std::size_t i = 0; i < header.count; ++i) {
      want_item item;
      std::memcpy(&item, items.data() + i * sizeof(item), sizeof(item));
      check_own_chunk(*of, item.chunk);
      FAR_CHECK(!item.line || item.line.rank() == message.source(),
                "cached_array: data are wanted at another rank");
      of->directory.wanted(
          out, item.chunk,
          {message.source(), header.what, op, item.line, item.number, item.copy, header.may_choose},
          i == 0 ? header.report : fill_report());
    }
  }
  flush_in_task(message, of, std::move(out));
}

bool lock_element(const world& view, int home, const lock_header& what) {
  pending_lock pending;
  pending.on_reply = &pending_lock::on_answer;
  fabric::send_request message;
  message.rank = home;
  message.handler = fabric::handler_of<lock_handler>::index();
  message.head = std::as_bytes(std::span(&what, 1));
  message.reply = &pending;
  message.reply_bytes = sizeof(bool);
  view.context().send(message);
  view.context().wait(pending, {"lock of an element", home, {}});
  return pending.granted;
}

void throw_no_lock(int home, std::uint64_t index) {
  throw bad_argument(
      fmt::format("cached_array: there is no lock of element {}: rank {} has destroyed its part of "
                  "the array",
                  index, home));
}

void unlock_element(const world& view, int home, const lock_header& what) {
  fabric::send_request message;
  message.rank = home;
  message.handler = fabric::handler_of<unlock_handler>::index();
  message.head = std::as_bytes(std::span(&what, 1));
  view.context().send(message);
}

}  // namespace far::cached
