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

struct lock_handler {
  static void run(fabric::message& message) {
    const auto header = header_of<lock_header>(message);
    const fabric::reply_token token = message.take_token();
    std::vector<lock_answer> answers;
    if (const auto of = part_at(message, header.object)) {
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
    check_chunk(*of, header.chunk);
    const bool fits = header.offset + of->element_bytes <= of->bytes_of(header.chunk) &&
                      value.size() == (header.what == right::write ? of->element_bytes : 0);
    const int lanes = message.lane().owner().lanes();
    if (!fits || !of->is_home_of(header.chunk) || header.lane < 0 || header.lane >= lanes) {
      throw fabric_error(
          "cached_array: a request names an element of another rank or an unknown lane, or has a "
          "wrong length");
    }
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
    if (pending == nullptr || element.size() > of->element_bytes) {
      throw fabric_error("cached_array: an answer to an access that nobody awaits");
    }
    pending->on_reply(*pending, element);
    message.defer([pending](fabric::context&) { pending->end(); });
  }
};

struct pending_lock : fabric::request {
  bool granted = false;
  static void on_answer(fabric::request& self, fabric::payload bytes) noexcept {
    std::memcpy(&static_cast<pending_lock&>(self).granted, bytes.data(), sizeof(bool));
  }
};

}  // namespace

void check_chunk(const part& of, std::uint64_t chunk) {
  if (chunk < of.map.chunks()) return;
  throw fabric_error(
      fmt::format("cached_array: a message names chunk {} of {}", chunk, of.map.chunks()));
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
  outbox out;
  {
    const std::scoped_lock lock(of->mutex);
    for (std::size_t i = 0; i < header.count && (i + 1) * sizeof(want_item) <= items.size(); ++i) {
      want_item item;
      std::memcpy(&item, items.data() + i * sizeof(item), sizeof(item));
      check_chunk(*of, item.chunk);
      if (!of->is_home_of(item.chunk)) continue;
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
