#pragma once
// The search for an order of calls that explains a history: each call takes place at one moment
// between its invocation and its response, with the result that the specification allows.
//
// Method: Wing and Gong's depth-first search over a list of events (JPDC 1993), with Lowe's memory
//   of tried configurations (CCPE 2017). A call may go next if its invocation is in front of the
//   first response that is left in the list. If its result is right, both its events leave the
//   list. If the search reaches that first response and no call could go, it takes the last step
//   back. A configuration is a set of calls and the state that they led to. A configuration that
//   was tried before is not tried again.
//
// Two rules of our own shorten the search. First, if a call that may go next is neutral (a read, a
// failed compare-exchange, a refused pop: see specification.hpp), it goes, and no alternative is
// tried. In any order that works from here the call can be moved to the front: the other calls do
// not depend on where it is, and it may come first. Second, a pending call goes only where no other
// call can, and never where it would change nothing: then it can wait.
// other can, and never where it would change nothing: it can as well wait.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <ostream>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "test/linearizability/event_list.hpp"
#include "test/linearizability/slot_set.hpp"
#include "test/linearizability/specification.hpp"
#include "test/linearizability/windows.hpp"

namespace far::linearizability {

enum class verdict { linearizable, not_linearizable, undecided };

inline std::ostream& operator<<(std::ostream& out, verdict value) {
  constexpr const char* names[] = {"linearizable", "not linearizable", "undecided"};
  return out << names[static_cast<int>(value)];
}

template <specification S>
class search {
 public:
  using call_type = call_of<S>;

  search(const S& spec, std::span<const call_type> calls)
      : spec_(spec),
        calls_(calls),
        events_(calls.size()),
        windows_(windows_of<S>(spec, calls)),
        done_(0, 0),
        state_(spec.initial()) {
    for (const call_type& one : calls) {
      if (one.result.has_value() != (one.responded != call_type::never) ||
          one.invoked >= one.responded) {
        throw bad_argument(fmt::format("history: {} was invoked at {} and answered at {}",
                                       spec.text(one.operation, one.result), one.invoked,
                                       one.responded));
      }
    }
    number_calls();
    link_events();
  }

  /// Tries at most `budget` configurations, which bounds time and memory.
  verdict run(std::uint64_t budget) {
    contradiction_ = windows_.contradiction(calls_);
    if (contradiction_) return verdict::not_linearizable;
    event_list::node node = events_.after(events_.answered());
    while (left_ > 0) {
      if (event_list::is_response(node)) {
        node = events_.after(events_.pending());  // pending calls last
      }
      if (node != events_.pending() && may_begin(event_list::slot_of(node))) {
        switch (try_call(event_list::slot_of(node))) {
          case attempt::gone:
            if (seen_.size() > budget) return verdict::undecided;
            node = events_.after(events_.answered());
            continue;
          case attempt::not_now:
            node = events_.after(node);
            continue;
          case attempt::hopeless:
            break;
        }
      } else {
        note_stop();
      }
      node = take_back();
      if (node == events_.answered()) return verdict::not_linearizable;
    }
    note_order();
    return verdict::linearizable;
  }

  /// Calls by index, in the order found; after a failure, the longest order found.
  [[nodiscard]] const std::vector<std::size_t>& order() const noexcept { return order_; }
  /// Two calls that exclude each other (or one, twice, if no order explains it). In this case no
  /// order was tried.
  [[nodiscard]] const std::optional<std::pair<std::size_t, std::size_t>>& contradiction()
      const noexcept {
    return contradiction_;
  }
  /// After a failure: the call whose response no order got past. If no windows shortened the
  /// search, the history is linearizable up to just before that response, and not including it.
  [[nodiscard]] std::size_t stopped_by() const noexcept { return stopped_by_; }
  [[nodiscard]] std::uint64_t configurations() const noexcept { return seen_.size(); }

 private:
  // Calls have slots: first the completed ones in the order of their invocations, then the pending
  // ones. Pending calls are tried when no other call can go.
  enum class attempt { gone, not_now, hopeless };

  struct step {
    std::size_t slot;
    bool neutral;
    typename S::state before;
  };
  using distance = std::tuple<std::uint64_t, std::size_t, std::size_t>;

  struct configuration {
    std::vector<std::uint64_t> done;
    typename S::state state;
    std::uint64_t hash;
    bool operator==(const configuration& other) const {
      return hash == other.hash && done == other.done && state == other.state;
    }
  };
  struct stored_hash {
    std::size_t operator()(const configuration& c) const noexcept { return c.hash; }
  };

  [[nodiscard]] bool is_completed(std::size_t slot) const noexcept { return slot < completed_; }
  [[nodiscard]] const call_type& call_at(std::size_t slot) const { return calls_[slots_[slot]]; }

  void number_calls() {
    slots_.resize(calls_.size());
    std::iota(slots_.begin(), slots_.end(), std::size_t{0});
    std::ranges::sort(slots_, {}, [&](std::size_t i) {
      return std::pair(!calls_[i].result.has_value(), calls_[i].invoked);
    });
    completed_ = static_cast<std::size_t>(
        std::ranges::count_if(calls_, [](const call_type& c) { return c.result.has_value(); }));
    left_ = completed_;
    done_ = slot_set(completed_, calls_.size() - completed_);
  }

  void link_events() {
    std::vector<std::pair<std::uint64_t, event_list::node>> events;
    for (std::size_t slot = 0; slot < calls_.size(); ++slot) {
      events.emplace_back(call_at(slot).invoked, event_list::invocation(slot));
      if (is_completed(slot)) {
        events.emplace_back(call_at(slot).responded, event_list::response(slot));
      }
    }
    std::ranges::sort(events);
    for (const auto& [ticket, node] : events) {
      const bool answered = is_completed(event_list::slot_of(node));
      events_.append(answered ? events_.answered() : events_.pending(), node);
    }
  }

  [[nodiscard]] bool may_begin(std::size_t slot) const {
    return is_completed(slot) ||
           call_at(slot).invoked < call_at(events_.first_answered()).responded;
  }

  attempt try_call(std::size_t slot) {
    const call_type& call = call_at(slot);
    if (!windows_.may_go(slots_[slot])) return attempt::not_now;
    typename S::state after = state_;
    if (!takes_place(spec_, after, call.operation, call.result)) return attempt::not_now;
    if (!is_completed(slot) && after == state_) return attempt::not_now;
    const bool neutral = is_neutral(spec_, call.operation, call.result);
    done_.insert(slot);
    if (!is_new(after)) {
      done_.erase(slot);
      return neutral ? attempt::hopeless : attempt::not_now;
    }
    events_.take(event_list::invocation(slot));
    windows_.take(slots_[slot]);
    if (is_completed(slot)) {
      events_.take(event_list::response(slot));
      --left_;
    }
    steps_.push_back({slot, neutral, std::exchange(state_, std::move(after))});
    return attempt::gone;
  }

  bool is_new(const typename S::state& state) {
    configuration now{done_.key(), state, 0};
    now.hash = base::hash_combine(hash<std::vector<std::uint64_t>>{}(now.done), spec_.hash(state));
    return seen_.insert(std::move(now)).second;
  }

  /// Takes steps back until one had alternatives. Returns the event to continue from, or the head
  /// of the list if none had.
  event_list::node take_back() {
    while (!steps_.empty()) {
      step last = std::move(steps_.back());
      steps_.pop_back();
      if (is_completed(last.slot)) {
        events_.put_back(event_list::response(last.slot));
        ++left_;
      }
      events_.put_back(event_list::invocation(last.slot));
      windows_.put_back(slots_[last.slot]);
      done_.erase(last.slot);
      state_ = std::move(last.before);
      if (!last.neutral) return events_.after(event_list::invocation(last.slot));
    }
    return events_.answered();
  }

  void note_order() {
    order_.clear();
    for (const step& one : steps_) order_.push_back(slots_[one.slot]);
  }

  /// All calls that may come before the first response were tried. Remembers the best order: past
  /// the most responses, then with the most calls done, then with the fewest pending ones.
  void note_stop() {
    const std::size_t slot = events_.first_answered();
    const std::size_t pending = steps_.size() - (completed_ - left_);
    const distance now{call_at(slot).responded, completed_ - left_, calls_.size() - pending};
    if (now <= furthest_) return;
    furthest_ = now;
    stopped_by_ = slots_[slot];
    note_order();
  }

  const S& spec_;
  std::span<const call_type> calls_;
  std::vector<std::size_t> slots_;  // the calls by slot
  std::size_t completed_ = 0;
  event_list events_;
  window_order windows_;

  slot_set done_;
  typename S::state state_;
  std::size_t left_ = 0;  // completed calls that are not done
  std::vector<step> steps_;
  std::unordered_set<configuration, stored_hash> seen_;

  std::vector<std::size_t> order_;
  distance furthest_{0, 0, 0};
  std::size_t stopped_by_ = 0;
  std::optional<std::pair<std::size_t, std::size_t>> contradiction_;
};

}  // namespace far::linearizability
