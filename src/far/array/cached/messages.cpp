#include "far/array/cached/messages.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "far/array/cached/part.hpp"
#include "far/base/check.hpp"
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

void check_own_element(const part& of, std::uint64_t index) noexcept {
  FAR_CHECK(index < of.map.size() && of.map.owner(index) == of.rank,
            "cached_array: a message about a lock is malformed");
}

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

namespace {

void act_on_want(const std::shared_ptr<part>& of, const want_header& header,
                 fabric::message& message, const operation* op) {
  const fabric::payload items = homes::rest_of<want_header>(message);
  check_right(header.what);
  FAR_CHECK(items.size() == header.count * sizeof(want_item) &&
                (header.what == right::operate) == (op != nullptr),
            "cached_array: a request for rights is malformed");
  homes::step(message, of, [&](outbox& out) {
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
  });
}

}  // namespace

void want_header::receive(const std::shared_ptr<part>& of, const want_header& header,
                          fabric::message& message) {
  act_on_want(of, header, message, nullptr);
}

void receive_want(fabric::message& message, const operation* op) {
  const auto header = homes::header_of<want_header>(message);
  if (const auto of = homes::part_of<part>(message, header.object)) {
    act_on_want(of, header, message, op);
  }
}

void grant_header::receive(const std::shared_ptr<part>& of, const grant_header& header,
                           fabric::message& message) {
  check_chunk(*of, header.chunk);
  check_right(header.what);
  const fabric::payload data = homes::rest_of<grant_header>(message);
  FAR_CHECK(data.empty() || data.size() == of->bytes_of(header.chunk),
            "cached_array: a grant has a wrong length");
  homes::step(message, of, [&](outbox& out) {
    if (header.what == right::none) {
      of->lines.refused(out, header.chunk);
    } else {
      of->lines.granted(out, header.chunk, header.what, data, header.number, header.number);
    }
  });
}

void recall_header::receive_without(const recall_header&, fabric::message& message) {
  message.defer([token = message.take_token()](fabric::context& lane) { lane.reply(token); });
}

void recall_header::receive(const std::shared_ptr<part>& of, const recall_header& header,
                            fabric::message& message) {
  check_chunk(*of, header.chunk);
  check_right(header.from);
  check_right(header.keep);
  homes::step(message, of, [&](outbox& out) {
    of->lines.recalled(
        out, header.chunk,
        {header.from, header.keep, false, message.take_token(), header.eviction, header.number});
  });
}

void continues_header::receive(const std::shared_ptr<part>& of, const continues_header& header,
                               fabric::message& message) {
  check_own_chunk(*of, header.chunk);
  homes::step(message, of, [&](outbox& out) { of->directory.revoked_own(out, header.chunk); });
}

void lock_header::receive_without(const lock_header&, fabric::message& message) {
  std::vector<lock_answer> refusal;
  refusal.push_back({message.take_token(), false});
  send_answers(message, std::move(refusal));
}

void lock_header::receive(const std::shared_ptr<part>& of, const lock_header& header,
                          fabric::message& message) {
  check_own_element(*of, header.index);
  FAR_CHECK(header.what <= lock_request::try_shared,
            "cached_array: a message about a lock is malformed");
  std::vector<lock_answer> answers;
  {
    const std::scoped_lock lock(of->mutex);
    of->locks.request(answers, header.index, header.what, message.take_token());
  }
  send_answers(message, std::move(answers));
}

void unlock_header::receive(const std::shared_ptr<part>& of, const unlock_header& header,
                            fabric::message& message) {
  check_own_element(*of, header.index);
  std::vector<lock_answer> answers;
  {
    const std::scoped_lock lock(of->mutex);
    of->locks.release(answers, header.index, header.is_shared);
  }
  send_answers(message, std::move(answers));
}

bool lock_element(const world& world, int home, const lock_header& what) {
  pending_lock pending;
  pending.on_reply = &pending_lock::on_answer;
  auto message = homes::message_to(world.context(), home, what);
  message.reply = &pending;
  message.reply_bytes = sizeof(bool);
  world.context().send(message);
  world.context().wait(pending, {"lock of an element", home, {}});
  return pending.granted;
}

void throw_no_lock(int home, std::uint64_t index) {
  throw bad_argument(
      fmt::format("cached_array: there is no lock of element {}: rank {} has destroyed its part of "
                  "the array",
                  index, home));
}

void unlock_element(const world& world, int home, const unlock_header& what) {
  world.context().send(homes::message_to(world.context(), home, what));
}

}  // namespace far::cached
