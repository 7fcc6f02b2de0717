#pragma once
// Small programs as data, for tests that compare ways to search all their orders.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "far/base/random.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/sim/explore/exhaustive.hpp"
#include "far/fabric/sim/explore/explorer_planted_test.hpp"
#include "far/fabric/sim/simulation.hpp"

namespace far::fabric::sim::small {

enum class verb : std::uint8_t {
  put,        ///< blocking, of one word
  put_later,  ///< not complete until a flush
  put_two,    ///< of two words, not complete until a flush: may be torn
  put_signal,
  get,
  get_two,
  get_later,  ///< read at the end
  add,        ///< not complete until a flush
  add_wake,   ///< the same, and wakes
  fetch_add,
  flush,
  await,  ///< waits until the word of this rank is not 0
  send,   ///< a message whose handler adds 100 to the word
  ask,    ///< a request whose reply contains the word
  watch,  ///< await, which plain puts end, too
  last = ask
};

struct operation {
  verb what;
  int rank = 0;
  int word = 0;
};
using program = std::vector<std::vector<operation>>;  // by rank

constexpr int words = 3;  // the last is for signals

inline address word_at(int rank, int word) {
  return address(rank, symmetric_segment, 64 + 8 * static_cast<std::uint64_t>(word));
}

inline std::string text(const program& p) {
  constexpr std::array names{"put",     "put_later", "put_two", "put_signal", "get",
                             "get_two", "get_later", "add",     "add_wake",   "fetch_add",
                             "flush",   "await",     "send",    "ask",        "watch"};
  std::string result;
  for (const auto& part : p) {
    for (const operation& op : part) {
      result +=
          fmt::format("{} {}.{}; ", names[static_cast<std::size_t>(op.what)], op.rank, op.word);
    }
    result += "|| ";
  }
  return result;
}

inline address word_of(const message& m, int rank) {
  int word = 0;
  std::memcpy(&word, m.bytes().data(), sizeof(word));
  return word_at(rank, word);
}

struct adder {
  static void run(message& m) {
    context& lane = m.lane();
    lane.amo({.word = word_of(m, lane.owner().rank()), .op = amo_op::add, .operand = 100}, nullptr);
  }
};

struct teller {
  static void run(message& m) {
    const std::uint64_t value = m.lane().peek(word_of(m, m.lane().owner().rank()));
    m.reply(std::as_bytes(std::span(&value, 1)));
  }
};

/// Runs the program repeatedly, and collects the outcomes.
class player {
 public:
  explicit player(program p) : program_(std::move(p)), read_(program_.size()), ended_(0) {}

  [[nodiscard]] const std::set<std::string>& outcomes() const noexcept { return outcomes_; }
  [[nodiscard]] int ranks() const noexcept { return static_cast<int>(program_.size()); }
  void begin() { ended_ = 0; }
  void failed(const std::string& text) { outcomes_.insert(text.substr(0, text.find(' '))); }

  void operator()(fabric& rank, context& c) {
    const auto me = static_cast<std::size_t>(rank.rank());
    std::string& read = read_[me];
    read.clear();
    const auto& mine = program_[me];
    std::vector<std::array<std::uint64_t, 2>> values(mine.size());
    std::deque<std::uint64_t> later;
    completion got;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      values[i].fill(10 * (me + 1) + i);
      one(c, mine[i], values[i], read, later, got);
    }
    c.flush();
    c.wait(got, {"gets", -1, {}});
    for (const std::uint64_t value : later) read += fmt::format("({}) ", value);
    rank.quiesce(c);
    read += "= ";
    for (int w = 0; w < words; ++w) {
      read += fmt::format("{} ", c.peek(word_at(rank.rank(), w)));
    }
    if (++ended_ == ranks()) {
      std::string all;
      for (const std::string& r : read_) all += r + "| ";
      outcomes_.insert(all);
    }
  }

 private:
  static void one(context& c, const operation& op, const std::array<std::uint64_t, 2>& values,
                  std::string& read, std::deque<std::uint64_t>& later, completion& got) {
    const address word = word_at(op.rank, op.word);
    const put_part part{word, values.data(), op.what == verb::put_two ? 16u : 8u};
    switch (op.what) {
      case verb::put: {
        completion done;
        c.put({&part, 1}, &done);
        return c.wait(done, {"put", op.rank, word});
      }
      case verb::put_later:
      case verb::put_two:
        return c.put({&part, 1});
      case verb::put_signal: {
        const signal after{word_at(op.rank, words - 1), 1, signal::kind::add};
        return c.put({&part, 1}, nullptr, nullptr, &after);
      }
      case verb::get:
        read += fmt::format("{} ", planted::get(c, word));
        return;
      case verb::get_two: {
        std::array<std::uint64_t, 2> two{};
        completion done;
        const get_part from{word, two.data(), sizeof(two)};
        c.get({&from, 1}, &done);
        c.wait(done, {"get", op.rank, word});
        read += fmt::format("{},{} ", two[0], two[1]);
        return;
      }
      case verb::get_later: {
        const get_part from{word, &later.emplace_back(), 8};
        return c.get({&from, 1}, &got);
      }
      case verb::add:
      case verb::add_wake:
        return c.amo(
            {.word = word, .op = amo_op::add, .wake = op.what == verb::add_wake, .operand = 1000},
            nullptr);
      case verb::fetch_add:
        read += fmt::format("{} ",
                            planted::fetch(c, {.word = word, .op = amo_op::add, .operand = 1000}));
        return;
      case verb::flush:
        return c.flush();
      case verb::await: {
        const address own = word_at(c.owner().rank(), op.word);
        c.wait([&] { return c.peek(own) != 0; }, never, {"a word", op.rank, own});
        return;
      }
      case verb::watch: {
        const address own = word_at(c.owner().rank(), op.word);
        c.wait([&] { return c.peek(own) != 0; }, never, {"memory", op.rank, own, true});
        return;
      }
      case verb::send:
        c.send({.rank = op.rank, .handler = handler_of<adder>::index(), .head = bytes_of(op.word)});
        return;
      case verb::ask: {
        struct : request {
          std::uint64_t told = 0;
        } asked;
        using question = decltype(asked);
        asked.on_reply = [](request& r, payload p) noexcept {
          std::memcpy(&static_cast<question&>(r).told, p.data(), sizeof(std::uint64_t));
        };
        c.send({.rank = op.rank,
                .handler = handler_of<teller>::index(),
                .head = bytes_of(op.word),
                .reply = &asked,
                .reply_bytes = 8});
        c.wait(asked, {"answer", op.rank, word});
        read += fmt::format("{} ", asked.told);
        return;
      }
    }
  }
  static payload bytes_of(const int& word) { return std::as_bytes(std::span(&word, 1)); }

  program program_;
  std::vector<std::string> read_;
  int ended_;
  std::set<std::string> outcomes_;
};

struct found {
  std::set<std::string> outcomes;
  exhaustive_result result;
};

inline job_options options_of(const program& p) {
  job_options options;
  options.ranks = static_cast<int>(p.size());
  options.mode = job_mode::fibers;
  options.symmetric_bytes = 8192;
  options.local_bytes = 8192;
  return options;
}

/// The outcomes under this many seeds.
inline std::set<std::string> play_by_chance(const program& p, std::uint64_t seeds) {
  player runs(p);
  job_options options = options_of(p);
  for (options.seed = 1; options.seed <= seeds; ++options.seed) {
    runs.begin();
    try {
      run_job(options, planted::with_context(std::ref(runs)));
    } catch (const deadlock& error) {
      runs.failed(error.what());
    }
  }
  return runs.outcomes();
}

inline found search(const program& p, exhaustive_limits limits) {
  const job_options options = options_of(p);
  limits.bounded = 0;
  exhaustive_search all(limits);
  player runs(p);
  do {
    runs.begin();
    try {
      simulation(options, all.begin_run()).run(planted::with_context(std::ref(runs)));
    } catch (const deadlock& error) {
      runs.failed(error.what());
    }
  } while (all.next_run());
  return {runs.outcomes(), all.result()};
}

}  // namespace far::fabric::sim::small
