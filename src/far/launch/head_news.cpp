// How the head handles messages from the machines.

#include <unistd.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/handlers.hpp"
#include "far/launch/head.hpp"
#include "far/launch/roster.hpp"

namespace far::launch {
namespace {

/// How long machines may take to end their ranks.
constexpr std::chrono::seconds longest_end{10};

record died(int rank, const std::string& text) {
  return {{"rank", rank},
          {"kind", static_cast<std::uint32_t>(shm::failure_kind::rank_died)},
          {"text", text}};
}

}  // namespace

void head::hear(connection& c) {
  if (!c.reads()) return;
  try {
    const bool more = c.from().read_some();
    c.last_heard = clock::now();
    while (const auto news = c.from().next()) take(c, *news);
    if (!more) c.stop_reading();
  } catch (const std::exception& failure) {
    give_up(fmt::format("host '{}': {}; nothing there may print before far does", c.name(),
                        failure.what()));
    c.stop_reading();
    c.kill();
  }
}

void head::take(connection& c, const frame& news) {
  if ((news.kind == frame_kind::hello) != (c.now == stage::reached_for)) {
    throw fabric_error("it sent a message out of order");
  }
  switch (news.kind) {
    case frame_kind::hello:
      return greet(c, news.parsed());
    case frame_kind::able:
      c.able = news.parsed();
      c.now = stage::able;
      return start_if_all_able();
    case frame_kind::cards:
      c.cards = news.parsed();
      ++c.joined;
      share_cards();
      return detect_strangers();
    case frame_kind::left:
      ++c.left;
      return end_if_all_left();
    case frame_kind::output:
      output_.put(&c, news.bytes);
      return;
    case frame_kind::said:
      return say(
          fmt::format("host '{}': {}", c.name(), news.parsed().at("line").get<std::string>()));
    case frame_kind::input_taken:
      input_taken_ = true;
      input_open_ &= news.parsed().at("more").get<bool>();
      return;
    case frame_kind::broken:
      return fail(news.parsed(), &c);
    case frame_kind::unable:
      return give_up(
          fmt::format("host '{}': {}", c.name(), news.parsed().at("text").get<std::string>()));
    case frame_kind::done:
      return take_end(c, news.parsed());
    case frame_kind::heartbeat:
      return;
    default:
      throw fabric_error("it sent a message that only the head may send");
  }
}

void head::greet(connection& c, const record& hello) {
  c.now = stage::greeted;
  // From here on, standard error has what the ranks write there.
  if (!c.kept_errors().empty()) errors_.sink().put(nullptr, c.kept_errors());
  if (c.early_errors() >= 0) errors_.add(c.give_errors(), "");
  if (hello.at("build").get<std::uint64_t>() != fabric::handlers_fingerprint()) {
    c.kill();  // another build may not understand a request to end
    return give_up(
        fmt::format("'{}' on host '{}' is of another build than this one: install the same there, "
                    "or say --remote-far",
                    far_, c.name()));
  }
  if (trouble_) return c.say(frame_kind::end);
  c.say(frame_kind::job, description(nodes_[static_cast<std::size_t>(c.first_rank())]));
}

record head::description(std::int32_t node) const {
  return {{"key", key_},
          {"nodes", nodes_},
          {"node", node},
          {"program", options_.program},
          {"args", options_.args},
          {"folder", folder_},
          {"variables", variables_},
          {"service", options_.service},
          {"tag_output", options_.tag_output},
          {"symmetric", options_.symmetric_bytes},
          {"local", options_.local_bytes},
          {"silence", silence_s_}};
}

/// Heaps have the same size everywhere: the smallest size that any machine offers.
void head::start_if_all_able() {
  const auto ready = [](const auto& c) { return c->now == stage::able; };
  if (trouble_ || !std::all_of(all_.begin(), all_.end(), ready)) return;
  record sizes = all_.front()->able;
  for (const auto& c : all_) {
    for (const char* heap : {"symmetric", "local", "nic"}) {
      sizes[heap] =
          std::min(sizes.at(heap).get<std::uint64_t>(), c->able.at(heap).get<std::uint64_t>());
    }
    c->now = stage::running;
  }
  send_to_all(frame_kind::start, sizes);
  started_ = true;
  if (options_.timeout_s > 0) {
    time_limit_ = clock::now() + std::chrono::duration_cast<clock::duration>(
                                     std::chrono::duration<double>(options_.timeout_s));
  }
}

void head::share_cards() {
  const auto told = [this](const auto& c) { return c->joined > shared_; };
  if (!std::all_of(all_.begin(), all_.end(), told)) return;
  ++shared_;
  record cards = record::array();
  const connection& first = *all_.front();
  for (const auto& c : all_) {
    if (c->cards.at("build") != first.cards.at("build")) {
      fail(died(c->first_rank(),
                fmt::format("is of a different build than rank 0, on host '{}': start all ranks "
                            "from the same files",
                            first.name())),
           nullptr);
    }
    for (const record& card : c->cards.at("cards")) cards.push_back(card);
  }
  if (!failure_) send_to_all(frame_kind::roster, {{"cards", cards}});
}

void head::end_if_all_left() {
  const auto left = [this](const auto& c) { return c->left > left_; };
  if (!std::all_of(all_.begin(), all_.end(), left)) return;
  ++left_;
  send_to_all(frame_kind::all_left);
}

void head::take_end(connection& c, const record& end) {
  c.end = end;
  c.now = stage::done;
  if (end.contains("not_run")) {
    const record& why = end["not_run"];
    return give_up(fmt::format("host '{}': {}", c.name(), why.at("text").get<std::string>()),
                   why.at("status").get<int>());
  }
  if (end.contains("failure")) {
    const shm::job_failure failure = failure_of(end["failure"]);
    fail(died(failure.rank, failure.text), &c);
  }
  detect_strangers();
}

/// Fails the job if the ranks of a machine have ended without joining it, while others wait for
/// them.
void head::detect_strangers() {
  int jobs = 0;
  for (const auto& c : all_) jobs = std::max(jobs, c->joined);
  if (failure_) return;
  for (const auto& c : all_) {
    if (c->end.value("joined", jobs) < jobs) {
      return fail(died(c->first_rank(), shm::left_without_joining), nullptr);
    }
  }
}

void head::give_up(const std::string& why, int status) {
  if (!trouble_ && !failure_) trouble_ = verdict{why, status};
  end_all(frame_kind::end);
}

void head::lose(const connection& c, const std::string& why) {
  if (!trouble_ && !failure_) trouble_ = verdict{why, launch_failed};
  send_to_all(frame_kind::failed, died(c.first_rank(), why), &c);
  if (!kill_at_) kill_at_ = clock::now() + longest_end;
}

void head::fail(const record& failure, const connection* from) {
  const int rank = failure.at("rank").get<int>();
  const int ranks = static_cast<int>(nodes_.size());
  if (rank < 0 || rank >= ranks) throw fabric_error("its report of a failure is malformed");
  const bool owned = from != nullptr && from->holds(rank);
  if (!failure_) {
    failure_ = failure;
    failure_owned_ = owned;
    send_to_all(frame_kind::failed, failure, from);
    kill_at_ = clock::now() + longest_end;
  } else if (owned && !failure_owned_ && failure_->at("rank") == rank) {
    failure_ = failure;
    failure_owned_ = true;
  }
}

void head::send_to_all(frame_kind kind, const record& what, const connection* but) {
  for (const auto& c : all_) {
    if (c.get() != but && c->now >= stage::greeted && c->now < stage::done) c->say(kind, what);
  }
}

/// Tells every machine to end its ranks, and kills connections that have not been greeted yet.
void head::end_all(frame_kind kind) {
  send_to_all(kind);
  for (const auto& c : all_) {
    if (c->now == stage::reached_for && !c->wait_status) c->kill();
  }
  if (!kill_at_) kill_at_ = clock::now() + longest_end;
}

const connection& head::holder(int rank) const {
  return **std::find_if(all_.begin(), all_.end(), [&](const auto& c) { return c->holds(rank); });
}

}  // namespace far::launch
