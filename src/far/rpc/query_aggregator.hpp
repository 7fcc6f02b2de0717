#pragma once
// Aggregates many small queries into few large messages, and their answers into few large replies.

#include <cstddef>
#include <exception>
#include <functional>
#include <tuple>
#include <utility>

#include "far/fabric/handlers.hpp"
#include "far/rpc/batch_handler.hpp"
#include "far/rpc/batch_sender.hpp"
#include "far/rpc/function.hpp"
#include "far/rpc/serialize.hpp"
#include "far/world/world.hpp"

namespace far {
namespace detail {

/// Runs the function on each list of arguments, which follows its tag, and replies with a pair of
/// tag and result for each.
template <class F, class Tag, class... Args>
struct query_handler {
  using traits = function_traits<F, Args...>;
  using answer = typename traits::value;
  static constexpr std::size_t call_bytes =
      (wire::fixed_bytes<Tag>() + ... + wire::fixed_bytes<Args>());
  static constexpr std::size_t answer_bytes =
      wire::fixed_bytes<Tag>() + wire::fixed_bytes<answer>();

  static void run(fabric::message& message) {
    const caller to = caller_of(message);
    if (to.leaves()) return;
    try {
      wire::reader reader(message.bytes());
      (void)reader.get<request_flags>();
      F function = function_from<F>(reader);
      const std::size_t bytes =
          sizeof(reply_status) + reader.left().size() / call_bytes * answer_bytes;
      if (bytes > to.token.reply_bytes) wire::throw_malformed("more queries than answers fit");
      message_buffer buffer(bytes);
      wire::writer writer(buffer.data());
      writer(reply_status::value);
      if constexpr (traits::wants == function_wants::rank_state) {
        answer_each(function, reader, writer, *to.state());
      } else {
        answer_each(function, reader, writer);
      }
      to.lane->reply(to.token, buffer.bytes());
    } catch (...) {
      reply_exception(to, std::current_exception());
    }
  }

 private:
  /// Errors: what the first failed call threw, after all have run.
  template <class... First>
  static void answer_each(F& function, wire::reader& reader, wire::writer& writer,
                          First&... first) {
    std::exception_ptr failure;
    while (!reader.left().empty()) {
      const Tag tag = reader.get<Tag>();
      std::tuple<Args...> arguments{reader.get<Args>()...};  // braces fix the order
      try {
        const answer result = std::apply(
            [&](Args&... args) { return std::invoke(function, first..., std::move(args)...); },
            arguments);
        writer(tag, result);
      } catch (...) {
        if (failure == nullptr) failure = std::current_exception();
      }
    }
    if (failure != nullptr) std::rethrow_exception(failure);
  }
};

}  // namespace detail

/// Calls function(args...) on the given ranks, as far::aggregator does, and passes each result to
/// on_answer(tag, result) here. The tag travels there and back, and identifies the query.
///
///     auto look_up = far::make_query_aggregator<std::size_t, std::uint64_t>(
///         world, [table](far::rank_state& there, std::uint64_t i) { return ...; },
///         [&](std::size_t at, double value) { out[at] = value; });
///     for (...) look_up(owner, at, i);
///     look_up.flush();
///
/// Tag, arguments and result are of fixed size. The function does not take far::world&.
///
/// Completion: flush returns when all answers have been passed to on_answer.
/// Ordering: none between answers.
/// Progress: as far::aggregator. on_answer runs on the owner's thread, in any call that makes
///   progress; it must not wait, and makes further queries by pass_on.
/// Threads, memory: as far::aggregator; max_in_flight_bytes counts the answers too.
/// Cost: as far::aggregator; tags and results come back in the message that acknowledges.
/// Errors: as far::aggregator. If a call throws, no call of its message is answered, though all of
///   them run; what on_answer throws reaches flush, and drops the other answers of its message.
/// Checked by: query_aggregator_test.answers_each_question_once,
/// query_aggregator_test.answers_lead_to_questions, query_aggregator_test.failures_reach_flush
template <class F, class OnAnswer, class Tag, class... Args>
class query_aggregator {
  using handler = detail::query_handler<F, Tag, Args...>;
  using answer = typename handler::answer;
  static_assert(((wire::fixed_bytes<Tag>() != 0) && ... && (wire::fixed_bytes<Args>() != 0)) &&
                    wire::fixed_bytes<answer>() != 0,
                "far::query_aggregator: tag, arguments and result are of fixed size");
  static_assert(handler::traits::wants != detail::function_wants::world,
                "far::query_aggregator: the function answers at once, so it gets no far::world&");

 public:
  query_aggregator(const world& world, F function, OnAnswer on_answer,
                   const aggregator_options& options = {})
      : on_answer_(std::move(on_answer)),
        sender_(world, fabric::handler_of<handler>::index(), detail::batch_prefix(function),
                options, {handler::call_bytes, handler::answer_bytes, &deliver, this}) {}

  /// May send, and then may wait.
  void operator()(int rank, const Tag& tag, const Args&... args) {
    // Never null: every buffer has space for a call.
    detail::batch_end& end = *sender_.space_for(rank, handler::call_bytes);
    wire::writer writer(end.at);
    writer(tag, args...);
    end.at = writer.at();
  }

  /// As far::aggregator's: for functions, continuations and on_answer.
  void pass_on(int rank, const Tag& tag, const Args&... args) {
    sender_.pass_on(rank, handler::call_bytes, [&](std::byte* to) {
      wire::writer writer(to);
      writer(tag, args...);
    });
  }

  /// Makes progress, and sends the queries that have waited too long or were passed on.
  void poll() { sender_.poll(); }
  /// Sends all gathered and passed-on queries, and waits until all of them have been answered.
  void flush() { sender_.flush(); }

  [[nodiscard]] aggregator_counts counts() const { return sender_.counts(); }
  /// For far::settle.
  [[nodiscard]] detail::batch_sender& sender() noexcept { return sender_; }

 private:
  static void deliver(void* to, wire::reader& answers) {
    auto& self = *static_cast<query_aggregator*>(to);
    while (!answers.left().empty()) {
      const Tag tag = answers.get<Tag>();
      (void)std::invoke(self.on_answer_, tag, answers.get<answer>());
    }
  }

  OnAnswer on_answer_;
  detail::batch_sender sender_;  // declared last: its destructor may deliver
};

/// Deduces the types of the functions.
template <class Tag, class... Args, class F, class OnAnswer>
[[nodiscard]] query_aggregator<F, OnAnswer, Tag, Args...> make_query_aggregator(
    const world& world, F function, OnAnswer on_answer, const aggregator_options& options = {}) {
  return query_aggregator<F, OnAnswer, Tag, Args...>(world, function, std::move(on_answer),
                                                     options);
}

}  // namespace far
