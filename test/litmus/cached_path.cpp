#include "test/litmus/cached_path.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "test/litmus/hash_of_bytes.hpp"

namespace far::litmus {
namespace {

using namespace path;

constexpr std::uint8_t bit(std::size_t chunk) { return static_cast<std::uint8_t>(1u << chunk); }

// What the mutex guards: which chunks have a revocation, and which have left.
constexpr std::uint8_t revoked(std::size_t chunk) { return bit(chunk); }
constexpr std::uint8_t gone(std::size_t chunk) { return bit(chunks + chunk); }

/// The code of one thread of the rank.
class rank_code {
 public:
  /// `has_pins`: the program has; if not, nobody looks at the words for pins.
  rank_code(machine& m, std::size_t me, std::size_t threads, bool has_pins, const path_options& how)
      : m_(&m), me_(me), threads_(threads), has_pins_(has_pins), how_(&how) {}

  /// cached_view::get, set, apply; an access in a pin.
  void access(const step& s) {
    if (!(s.by == way::pinned ? pinned(s) : quick_hit(s))) slow(s);
  }

  /// recall_received: the handler.
  void recalled() {
    const std::size_t chunk = m_->await_recall();
    guarded_ = m_->lock();
    guarded_ |= revoked(chunk);
    try_revoke(chunk);
    unlock_and_flush();
  }

 private:
  [[nodiscard]] bool lacks(omission what) const noexcept { return how_->without == what; }
  [[nodiscard]] bool is_operated(std::size_t chunk) const noexcept { return how_->operated[chunk]; }

  // ---- threads: thread_access.hpp ----

  bool quick_hit(const step& s) {
    const auto publish = [&] {
      m_->store(accessed(me_), static_cast<std::uint8_t>(s.place + 1));
      light_fence(omission::light_fence_of_publish);
    };
    if (!lacks(omission::publish_before_check)) publish();
    const bool can_write = m_->load(word(s.place)) != 0;
    if (lacks(omission::publish_before_check)) publish();
    bool done = false;
    if (!lacks(omission::access_before_clear)) done = make(s, can_write);
    end(accessed(me_), notice(me_));
    if (lacks(omission::access_before_clear)) done = make(s, can_write);
    return done;
  }

  /// thread_access::pin, an access, and unpin: quick pins only.
  bool pinned(const step& s) {
    m_->store(pin(me_), static_cast<std::uint8_t>(s.place + 1));
    light_fence(omission::light_fence_of_publish);
    const bool can_write = m_->load(word(s.place)) != 0;
    if (can_write) on_elements(s);
    end(pin(me_), pin_notice(me_));
    return can_write;
  }

  /// end_hit and end_pin.
  void end(std::size_t record, std::size_t its_notice) {
    std::uint8_t seen = 0;
    if (lacks(omission::clear_before_look)) seen = m_->load(its_notice);
    m_->store(record, 0);
    light_fence(omission::light_fence_of_clear);
    if (!lacks(omission::clear_before_look)) seen = m_->load(its_notice);
    if (seen != 0) answer_notice();
  }

  /// element_reader, element_writer and element_combiner: target and make.
  bool make(const step& s, bool can_write) {
    if (can_write) {
      on_elements(s);
      return true;
    }
    if (s.what != verb::apply || m_->load(has_line(me_, s.place)) == 0) return false;
    on_operands(s);
    return true;
  }
  void on_elements(const step& s) {
    if (s.what == verb::get) {
      m_->keep(s.reg, m_->load(copy(s.place)));
    } else if (s.what == verb::apply) {
      m_->fetch_add(copy(s.place), s.value);
    } else if (s.by == way::relaxed || s.by == way::pinned || lacks(omission::fence_of_set)) {
      m_->store(copy(s.place), s.value);
    } else {
      m_->exchange(copy(s.place), s.value);
    }
  }
  void on_operands(const step& s) {
    const std::uint8_t old = m_->load(line(me_, s.place));
    m_->store(line(me_, s.place), static_cast<std::uint8_t>(old + s.value));
  }

  /// thread_access::slow, cache::acquire and leave. A right that has left does not return.
  void slow(const step& s) {
    const std::size_t chunk = s.place;
    lock();
    if ((guarded_ & gone(chunk)) == 0 && (!is_operated(chunk) || s.what == verb::apply)) {
      if (is_operated(chunk)) {
        on_operands(s);
      } else {
        on_elements(s);
      }
      if ((guarded_ & revoked(chunk)) != 0) try_revoke(chunk);
      return unlock_and_flush();
    }
    const bool wants = (guarded_ & gone(chunk)) == 0;
    unlock_and_flush();
    if (wants) m_->want(chunk);
    at_home(s);
  }
  void at_home(const step& s) {
    if (s.what == verb::get) {
      m_->keep(s.reg, m_->get_at_home(s.place));
    } else if (s.what == verb::set) {
      m_->set_at_home(s.place, s.value);
    } else {
      m_->apply_at_home(s.place, s.value, false);
    }
  }

  void answer_notice() {
    guarded_ = m_->lock();
    m_->store(notice(me_), 0);
    m_->store(pin_notice(me_), 0);
    retry_revocations();
    unlock_and_flush();
  }

  /// What acquire begins with.
  void lock() {
    guarded_ = m_->lock();
    m_->store(notice(me_), 0);
    retry_revocations();
  }

  // ---- the rare side: cache.cpp, cache_protocol.cpp ----

  void retry_revocations() {
    for (std::size_t c = 0; c < chunks; ++c) {
      if ((guarded_ & revoked(c)) != 0) try_revoke(c);
    }
  }

  void try_revoke(std::size_t chunk) {
    if (!lacks(omission::withdrawal)) withdraw(chunk);
    if (!is_accessed(chunk)) finish(chunk);
  }

  void withdraw(std::size_t chunk) {
    if (!is_operated(chunk)) return m_->store(word(chunk), 0);
    for (std::size_t t = 0; t < threads_; ++t) m_->store(has_line(t, chunk), 0);
  }

  bool is_accessed(std::size_t chunk) {
    heavy_fence(omission::first_heavy_fence);
    if (!does_somebody_stay(chunk)) return false;
    for (std::size_t t = 0; t < threads_; ++t) {
      if (accesses(t, chunk)) m_->store(notice(t), 1);
      if (pins(t, chunk)) m_->store(pin_notice(t), 1);
    }
    if (lacks(omission::second_look)) return true;
    heavy_fence(omission::second_heavy_fence);
    return does_somebody_stay(chunk);
  }
  bool does_somebody_stay(std::size_t chunk) {
    for (std::size_t t = 0; t < threads_; ++t) {
      if (accesses(t, chunk) || pins(t, chunk)) return true;
    }
    return false;
  }
  bool accesses(std::size_t thread, std::size_t chunk) {
    return m_->load(accessed(thread)) == chunk + 1;
  }
  bool pins(std::size_t thread, std::size_t chunk) {
    if (!has_pins_ || lacks(omission::look_at_pins)) return false;
    return m_->load(pin(thread)) == chunk + 1;
  }

  void finish(std::size_t chunk) {
    guarded_ = static_cast<std::uint8_t>((guarded_ & ~revoked(chunk)) | gone(chunk));
    m_->leave(chunk);
    answers_ |= bit(chunk);
    if (!is_operated(chunk)) return;
    for (std::size_t t = 0; t < threads_; ++t) {  // merge_operands
      merged_[chunk] =
          static_cast<std::uint8_t>(merged_[chunk] + m_->load_of_answer(line(t, chunk)));
    }
  }

  /// Releases the mutex; outbox::flush.
  void unlock_and_flush() {
    m_->unlock(guarded_);
    for (std::size_t c = 0; c < chunks; ++c) {
      if ((answers_ & bit(c)) == 0) continue;
      const std::uint8_t data = is_operated(c) ? merged_[c] : m_->load_of_answer(copy(c));
      m_->answer(c, data, is_operated(c));
    }
    answers_ = 0;
  }

  // ---- fences: asymmetric_fence.hpp ----

  void light_fence(omission which) {
    if (!how_->asymmetric && !lacks(which)) m_->fence();
  }
  void heavy_fence(omission which) {
    m_->fence();
    if (!how_->asymmetric || lacks(which)) return;
    std::uint8_t interrupted = 0;  // each thread at a moment of its own
    for (std::size_t i = 0; i < threads_; ++i)
      interrupted |= bit(m_->interrupt_another(interrupted));
    m_->fence();
  }

  machine* m_;
  std::size_t me_;
  std::size_t threads_;
  bool has_pins_;
  const path_options* how_;
  std::uint8_t guarded_ = 0;  // while this thread holds the mutex
  std::uint8_t answers_ = 0;
  std::array<std::uint8_t, chunks> merged_{};
};

/// An access of a thread of rank 1.
void access_from_afar(machine& m, const step& s, const path_options& how) {
  if (s.what == verb::apply && how.operated[s.place]) {
    return m.apply_at_home(s.place, s.value, true);  // its own operand, which the home merges
  }
  m.want(s.place);
  if (s.what == verb::get) {
    m.keep(s.reg, m.get_at_home(s.place));
  } else if (s.what == verb::set) {
    m.set_at_home(s.place, s.value);
  } else {
    m.apply_at_home(s.place, s.value, false);
  }
}

class explorer {
 public:
  explorer(const program& p, const path_options& how) : program_(&p), how_(&how) {
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      if (p.threads[t].rank == 0) local_.push_back(t);
      has_pins_ = has_pins_ || std::ranges::find(p.threads[t].steps, way::pinned, &step::by) !=
                                   p.threads[t].steps.end();
    }
    FAR_CHECK(local_.size() <= max_local && p.places.size() <= chunks &&
                  max_local + 1 + p.threads.size() - local_.size() <= max_threads,
              "a program that is too large for the model of the access path");
  }

  path_result run() {
    state start;
    for (std::size_t c = 0; c < chunks; ++c) {
      prepare(start, word(c), how_->operated[c] ? 0 : 1);
      for (std::size_t t = 0; t < local_.size(); ++t) {
        prepare(start, has_line(t, c), how_->operated[c] ? 1 : 0);
      }
    }
    found(start);
    while (!todo_.empty()) {
      const state s = todo_.back();
      todo_.pop_back();
      const std::size_t before = moves_;
      expand(s);
      if (moves_ == before) end(s);
    }
    return {
        {outcomes_.begin(), outcomes_.end()}, seen_violations_.late_access, lost_, seen_.size()};
  }

 private:
  static void prepare(state& s, std::size_t cell, std::uint8_t value) {
    s.memory.store(handler, cell, value);
    s.memory.fence(handler);
  }
  void found(const state& s) {
    ++moves_;
    if (seen_.insert(hash_of_bytes<state>{}(s)).second) todo_.push_back(s);
  }

  void expand(const state& s) {
    std::size_t local = 0;
    std::size_t remote = max_local + 1;
    for (const thread& t : program_->threads) {
      const bool here = t.rank == 0;
      const std::size_t me = here ? local++ : remote++;
      if (s.next[me] == t.steps.size()) continue;
      const step& one = t.steps[s.next[me]];
      move(s, me, [&](machine& m) {
        if (here) {
          rank_code(m, me, local_.size(), has_pins_, *how_).access(one);
        } else {
          access_from_afar(m, one, *how_);
        }
        m.end_access();
      });
    }
    move(s, handler, [&](machine& m) {
      rank_code(m, handler, local_.size(), has_pins_, *how_).recalled();
      m.end_message();
    });
    for (std::size_t t = 0; t <= max_local; ++t) {
      if (s.memory.drainable(t) == 0) continue;
      state after = s;
      if (has_left(s, s.memory.queue_of(t)[0].cell)) seen_violations_.late_access = true;
      after.memory.drain(t, 0);
      found(after);
    }
  }

  template <class Code>
  void move(const state& s, std::size_t me, Code code) {
    bool more = true;
    for (std::uint8_t choice = 0; more; ++choice) {
      machine m(s, me, local_.size(), choice, seen_violations_);
      code(m);
      if (m.is_blocked()) return;
      found(m.after());
      more = m.has_more_choices();
    }
  }

  void end(const state& s) {
    bool all_ended = s.wanted == s.granted;
    std::size_t local = 0;
    std::size_t remote = max_local + 1;
    for (const thread& t : program_->threads) {
      if (s.next[t.rank == 0 ? local++ : remote++] != t.steps.size()) all_ended = false;
    }
    if (!all_ended) {
      lost_ = true;
      return;
    }
    outcome o;
    o.registers = s.registers;
    for (std::size_t c = 0; c < program_->places.size(); ++c) {
      std::uint8_t value = s.home[c];
      if ((s.granted >> c & 1) == 0) {
        value = static_cast<std::uint8_t>(value + s.memory.memory()[copy(c)]);
        for (std::size_t t = 0; t < local_.size(); ++t) {
          value = static_cast<std::uint8_t>(value + s.memory.memory()[line(t, c)]);
        }
      }
      o.memory[c] = value;
    }
    outcomes_.insert(o);
  }

  const program* program_;
  const path_options* how_;
  std::vector<std::size_t> local_;  // threads of rank 0
  bool has_pins_ = false;
  violations seen_violations_;
  bool lost_ = false;
  std::size_t moves_ = 0;
  std::unordered_set<std::size_t> seen_;  // hashes
  std::vector<state> todo_;
  std::set<outcome> outcomes_;
};

}  // namespace

path_result explore_path(const program& p, const path_options& how) {
  return explorer(p, how).run();
}

}  // namespace far::litmus
