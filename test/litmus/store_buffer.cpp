#include "test/litmus/store_buffer.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "far/base/check.hpp"
#include "test/litmus/hash_of_bytes.hpp"

namespace far::litmus {

thread_local processor* processor::current = nullptr;

std::size_t processor::cell_of(const std::byte* place) {
  ++executed;
  const auto at = std::ranges::find(places, place);
  FAR_CHECK(at != places.end(), "an instruction on a place that the program does not have");
  return static_cast<std::size_t>(at - places.begin());
}

bool can_model(const program& p) {
  return std::ranges::all_of(p.threads, [](const thread& t) {
    return std::ranges::all_of(t.steps, [](const step& s) {
      if (s.cells > 1 || s.signal != none) return false;
      return s.what == verb::put || s.what == verb::get || s.what == verb::store ||
             s.what == verb::load || s.what == verb::swap || s.what == verb::flush ||
             s.what == verb::complete;
    });
  });
}

namespace {

struct state {
  store_buffers memory;
  std::array<std::uint8_t, max_registers> registers{};
  std::array<std::uint8_t, max_threads> next{};
  friend bool operator==(const state&, const state&) = default;
};

class explorer {
 public:
  explorer(const world& world, ptr<modelled_word> words, const program& p, fault mistake)
      : world_(&world), words_(words), program_(&p) {
    machine_.mistake = mistake;
    for (std::size_t i = 0; i < p.places.size(); ++i) {
      machine_.places.push_back(world.fabric().direct(at(i).address()));
    }
    processor::current = &machine_;
  }
  ~explorer() { processor::current = nullptr; }
  explorer(const explorer&) = delete;
  explorer& operator=(const explorer&) = delete;

  std::vector<outcome> run() {
    found(state{});
    while (!todo_.empty()) {
      const state s = todo_.back();
      todo_.pop_back();
      bool ended = s.memory.is_drained();
      for (std::size_t t = 0; t < program_->threads.size(); ++t) {
        const auto& steps = program_->threads[t].steps;
        if (s.next[t] < steps.size()) {
          ended = false;
          take_step(s, t, steps[s.next[t]]);
        }
        for (std::size_t i = 0; i < s.memory.drainable(t, machine_.mistake); ++i) {
          state after = s;
          after.memory.drain(t, i);
          found(after);
        }
      }
      if (ended) outcomes_.insert({s.registers, s.memory.memory()});
    }
    return {outcomes_.begin(), outcomes_.end()};
  }

 private:
  [[nodiscard]] ptr<modelled_word> at(std::size_t place) const {
    return (words_ + static_cast<std::int64_t>(place)).on(program_->places[place].home);
  }
  void found(const state& s) {
    if (seen_.insert(s).second) todo_.push_back(s);
  }

  void take_step(const state& s, std::size_t thread, const step& what) {
    state after = s;
    ++after.next[thread];
    machine_.memory = &after.memory;
    machine_.thread = thread;
    machine_.executed = 0;
    std::uint8_t& to = after.registers[what.reg == none ? 0 : what.reg];
    operate(what, to);
    // Each operation of the inline path is one instruction, so no other can come between.
    FAR_CHECK(machine_.executed == (what.what == verb::complete ? 0 : 1),
              "an operation of the inline path is not one instruction");
    found(after);
  }

  void operate(const step& s, std::uint8_t& to) {
    const world& w = *world_;
    const auto keep = [&](modelled_word value) { to = static_cast<std::uint8_t>(value.value); };
    const modelled_word value{s.value};
    switch (s.what) {
      case verb::put:
        return s.async ? put_async(w, at(s.place), value).wait() : put(w, at(s.place), value);
      case verb::get:
        return keep(s.async ? get_async(w, at(s.place)).get() : get(w, at(s.place)));
      case verb::store:
        return atomic_ref<modelled_word>(w, at(s.place)).store(value);
      case verb::load:
        return keep(atomic_ref<modelled_word>(w, at(s.place)).load());
      case verb::swap:
        return keep(atomic_ref<modelled_word>(w, at(s.place)).exchange(value));
      case verb::flush:
        return rma::flush_words<modelled_word>(w,
                                               s.rank == every_rank ? fabric::all_ranks : s.rank);
      default:
        return;
    }
  }

  const world* world_;
  ptr<modelled_word> words_;
  const program* program_;
  processor machine_;
  std::unordered_set<state, hash_of_bytes<state>> seen_;
  std::vector<state> todo_;
  std::set<outcome> outcomes_;
};

}  // namespace

std::vector<outcome> store_outcomes(const world& world, ptr<modelled_word> words, const program& p,
                                    fault mistake) {
  return explorer(world, words, p, mistake).run();
}

}  // namespace far::litmus

namespace far::rma {

using litmus::modelled_word;
using litmus::processor;
using modelled = instructions<modelled_word>;

modelled_word modelled::load_acquire(const std::byte* place) {
  processor& p = *processor::current;
  return {p.memory->load(p.thread, p.cell_of(place), p.mistake)};
}

void modelled::store_release(std::byte* place, const modelled_word& value) {
  processor& p = *processor::current;
  p.memory->store(p.thread, p.cell_of(place), static_cast<std::uint8_t>(value.value));
}

modelled_word modelled::update::exchange(modelled_word value, std::memory_order order) const {
  processor& p = *processor::current;
  FAR_CHECK(order == std::memory_order_acq_rel, "an update is not acquire and release");
  return {p.memory->exchange(p.thread, p.cell_of(place), static_cast<std::uint8_t>(value.value),
                             p.mistake)};
}

void modelled::full_fence() {
  processor& p = *processor::current;
  ++p.executed;
  p.memory->fence(p.thread, p.mistake);
}

}  // namespace far::rma
