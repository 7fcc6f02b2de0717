#include "far/array/cached/messages.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "far/array/cached/part.hpp"

namespace far::cached {
namespace {

template <class Header>
Header header_of(const fabric::message& message) {
  Header header{};
  std::memcpy(&header, message.bytes().data(), sizeof(header));
  return header;
}

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

struct pending_lock : fabric::request {
  bool granted = false;
  static void on_answer(fabric::request& self, fabric::payload bytes) noexcept {
    std::memcpy(&static_cast<pending_lock&>(self).granted, bytes.data(), sizeof(bool));
  }
};

}  // namespace

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
      if (!of->is_home_of(item.chunk)) continue;
      of->directory.wanted(out, message.source(), item.chunk, header.what, op, item.line);
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
