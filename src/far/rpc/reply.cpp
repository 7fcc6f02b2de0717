#include "far/rpc/reply.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <string_view>

#include "far/base/error.hpp"

namespace far::detail {
namespace {

/// The exceptions that keep their type; all others arrive as far::error.
enum class error_kind : std::uint8_t {
  other,
  bad_argument,
  out_of_memory,
  out_of_bounds,
  fabric_error,
  rank_failed,
};

struct description {
  error_kind kind = error_kind::other;
  std::int32_t rank = -1;
  std::string text;
};

description describe(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const bad_argument& e) {
    return {error_kind::bad_argument, -1, e.what()};
  } catch (const out_of_memory& e) {
    return {error_kind::out_of_memory, -1, e.what()};
  } catch (const std::bad_alloc&) {
    return {error_kind::out_of_memory, -1, "a remote function ran out of memory (std::bad_alloc)"};
  } catch (const out_of_bounds& e) {
    return {error_kind::out_of_bounds, -1, e.what()};
  } catch (const fabric_error& e) {
    return {error_kind::fabric_error, -1, e.what()};
  } catch (const rank_failed& e) {
    return {error_kind::rank_failed, e.rank(), e.what()};
  } catch (const std::exception& e) {
    return {error_kind::other, -1, e.what()};
  } catch (...) {
    return {error_kind::other, -1, "a remote function threw what is no std::exception"};
  }
}

/// Cuts the text to what the message holds, because there is no memory for the whole text.
void reply_short(const caller& to, const description& what) {
  const std::size_t fixed = wire::bytes_of(reply_status::exception, what.kind, what.rank) + 2;
  std::string_view text = what.text;
  text = text.substr(0, to.token.reply_bytes - std::min<std::size_t>(to.token.reply_bytes, fixed));
  message_buffer buffer(wire::bytes_of(reply_status::exception, what.kind, what.rank, text));
  wire::writer(buffer.data())(reply_status::exception, what.kind, what.rank, text);
  to.lane->reply(to.token, buffer.bytes());
}

}  // namespace

void reply_elsewhere(const caller& to, const kept_bytes& kept) {
  std::array<std::byte, 1 + sizeof(kept_bytes)> bytes;
  wire::writer(bytes.data())(reply_status::elsewhere, kept);
  to.lane->reply(to.token, bytes);
}

void reply_exception(const caller& to, const std::exception_ptr& failure) noexcept {
  if (!to.waits()) {
    to.state()->get<rpc_store>().note_failure(failure);
    return;
  }
  const description what = describe(failure);
  const std::size_t bytes =
      wire::bytes_of(reply_status::exception, what.kind, what.rank, what.text);
  if (bytes <= to.token.reply_bytes) return reply_short(to, what);
  auto& room = to.state()->get<rpc_store>();
  kept_bytes kept;
  try {
    kept = room.keep(bytes);
  } catch (const error&) {
    return reply_short(to, what);
  }
  wire::writer(room.memory_of(kept))(reply_status::exception, what.kind, what.rank, what.text);
  reply_elsewhere(to, kept);
}

void throw_remote_exception(wire::reader& from) {
  description what;
  from(what.kind, what.rank, what.text);
  from.finish();
  switch (what.kind) {
    case error_kind::other:
      throw error(what.text);
    case error_kind::bad_argument:
      throw bad_argument(what.text);
    case error_kind::out_of_memory:
      throw out_of_memory(what.text);
    case error_kind::out_of_bounds:
      throw out_of_bounds(what.text);
    case error_kind::fabric_error:
      throw fabric_error(what.text);
    case error_kind::rank_failed:
      throw rank_failed(what.rank, what.text);
  }
  wire::throw_malformed("an exception of unknown kind");
}

void throw_foreign_future() {
  throw bad_argument(
      "far::rpc: the function returned a future of another thread's view; make it with the world "
      "that the function received");
}

}  // namespace far::detail
