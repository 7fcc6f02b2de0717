#include "far/array/cached/messages.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "far/array/cached/part.hpp"
#include "far/base/error.hpp"

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
    const fabric::reply_token token = message.take_token();
    const auto of = part_at(message, header.object);
    if (of == nullptr) {
      message.defer([token](fabric::context& lane) { lane.reply(token); });
      return;
    }
    check_chunk(*of, header.chunk);
    const bool fits = header.offset + of->element_bytes <= of->bytes_of(header.chunk) &&
                      value.size() == (header.what == right::write ? of->element_bytes : 0);
    if (!fits || !of->is_home_of(header.chunk)) {
      throw fabric_error(
          "cached_array: a request names an element of another rank, or has a wrong length");
    }
    outbox out;
    {
      const std::scoped_lock lock(of->mutex);
      of->lines.access_late(out, header.chunk,
                            {token, header.what, header.offset, {value.begin(), value.end()}});
    }
    flush_in_task(message, of, std::move(out));
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

void send_late(const world& view, int home, const late_header& what, fabric::payload value,
               fabric::request& pending, std::uint32_t reply_bytes) {
  fabric::send_request message;
  message.rank = home;
  message.handler = fabric::handler_of<late_handler>::index();
  message.head = std::as_bytes(std::span(&what, 1));
  message.body = value;
  message.reply = &pending;
  message.reply_bytes = reply_bytes;
  view.context().send(message);
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
      of->directory.wanted(out, item.chunk,
                           {message.source(), header.what, op, item.line, item.number, item.copy});
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

void unlock_element(const world& view, int home, const lock_header& what) {
  fabric::send_request message;
  message.rank = home;
  message.handler = fabric::handler_of<unlock_handler>::index();
  message.head = std::as_bytes(std::span(&what, 1));
  view.context().send(message);
}

}  // namespace far::cached
