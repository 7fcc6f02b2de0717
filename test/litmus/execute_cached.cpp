#include "test/litmus/execute_cached.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "far/base/check.hpp"
#include "far/base/random.hpp"

namespace far::litmus {
namespace {

using element = std::uint64_t;
using elements = cached_view<element>;

/// Repeats a small value in every byte, so that a half-written element is not a valid value. Sums
/// of such values are such values.
constexpr element spread = 0x0101010101010101;

std::uint8_t value_of(element e) {
  const auto low = static_cast<std::uint8_t>(e);
  return e == low * spread ? low : torn;
}

/// Which element is which place of which copy of which program.
class layout {
 public:
  layout(std::span<const program* const> programs, std::size_t copies, int ranks,
         std::uint64_t chunk)
      : copies_(copies) {
    std::vector<std::uint64_t> used(static_cast<std::size_t>(ranks), 0);
    std::vector<int> homes;
    for (const program* p : programs) {
      first_.push_back(places_.size());
      for (std::size_t copy = 0; copy < copies; ++copy) {
        for (const place& at : p->places) {
          places_.push_back(used[static_cast<std::size_t>(at.home)]++);
          homes.push_back(at.home);
        }
        for (std::uint64_t& n : used) n = (n + chunk - 1) / chunk * chunk;
      }
    }
    const std::uint64_t part = std::max(std::ranges::max(used), chunk);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      places_[i] += part * static_cast<std::uint64_t>(homes[i]);
    }
    for (int r = 0; r < ranks; ++r) begins_.push_back(part * static_cast<std::uint64_t>(r));
    size_ = part * static_cast<std::uint64_t>(ranks);
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<std::uint64_t>& begins() const noexcept { return begins_; }
  [[nodiscard]] std::size_t copies() const noexcept { return copies_; }
  /// The elements of a program's copy, by place.
  [[nodiscard]] const std::uint64_t* of(std::size_t number, std::size_t places,
                                        std::size_t copy) const {
    return places_.data() + first_[number] + copy * places;
  }

 private:
  std::size_t copies_;
  std::vector<std::size_t> first_;     // of each program, in places_
  std::vector<std::uint64_t> places_;  // [program][copy][place]
  std::vector<std::uint64_t> begins_;
  std::uint64_t size_ = 0;
};

/// One thread, in one copy of a program.
class player {
 public:
  player(const elements& array, base::random& random, cached_slip mistake)
      : array_(&array), relaxed_(array.relaxed()), random_(&random), mistake_(mistake) {}

  void play(const thread& t, const std::uint64_t* at, std::size_t places, std::uint8_t* registers) {
    at_ = at;
    registers_ = registers;
    warm_up(places);
    const std::vector<step>& steps = t.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (random_->below(8) == 0) linger();
      if (i + 1 < steps.size() && changes_places(steps[i], steps[i + 1])) {
        one(steps[i + 1]);
        one(steps[i++]);
      } else {
        one(steps[i]);
      }
    }
  }

 private:
  /// Accesses that change nothing, before the program: the threads begin with other rights than
  /// those of an array that nobody has used.
  void warm_up(std::size_t places) {
    for (std::size_t i = 0; i < places; ++i) {
      const std::uint64_t what = random_->below(8);
      early_[i] = 0;
      if (what < 3 || mistake_ == cached_slip::stale_copy) {
        early_[i] = value_of(array_->get(at_[i]));
      } else if (what == 3) {
        array_->apply(at_[i], element{0}, std::plus<>());
      } else if (what == 4) {
        array_->apply(at_[i], element{0}, std::bit_or<>());
      } else if (what == 5) {
        array_->prefetch(at_[i], 1);
      }
    }
  }

  /// Delays this thread: some outcomes need a thread that pauses, and appear very rarely otherwise.
  void linger() const {
    if (array_->world().fabric().simulated()) {
      array_->world().compute(random_->below(100));
    } else {
      std::this_thread::yield();
    }
  }

  [[nodiscard]] bool changes_places(const step& first, const step& second) const {
    if (first.place == second.place) return false;
    return (mistake_ == cached_slip::late_write && writes(first.what)) ||
           (mistake_ == cached_slip::early_read && !writes(second.what));
  }

  void one(const step& s) {
    const std::uint64_t i = at_[s.place];
    if (s.what == verb::get) {
      registers_[s.reg] = mistake_ == cached_slip::stale_copy && random_->below(2) == 0
                              ? early_[s.place]
                              : value_of(read(i, s.by));
    } else if (s.what == verb::set) {
      write(i, s.by, s.value * spread);
    } else {
      FAR_CHECK(s.what == verb::apply, "a litmus program that is not of a cached array");
      update(i, s.by, s.value * spread);
    }
  }

  element read(std::uint64_t i, way by) const {
    if (by == way::relaxed) return relaxed_.get(i);
    if (by == way::sequential) return array_->get(i);
    const read_pin<element> pin = array_->pin_read(i);
    if (random_->below(4) == 0) linger();
    // Others may write it meanwhile: atomic, but no more than a plain load.
    return std::atomic_ref(const_cast<element&>(pin[i])).load(std::memory_order_relaxed);
  }
  void write(std::uint64_t i, way by, element value) const {
    if (by == way::relaxed) return relaxed_.put(i, value);
    if (by == way::sequential) return array_->put(i, value);
    const write_pin<element> pin = array_->pin_write(i);
    if (random_->below(4) == 0) linger();
    std::atomic_ref(pin[i]).store(value, std::memory_order_relaxed);
  }
  void update(std::uint64_t i, way by, element operand) const {
    if (mistake_ == cached_slip::update_by_two) {
      array_->put(i, array_->get(i) + operand);
    } else if (mistake_ == cached_slip::lost_operand && random_->below(20) == 0) {
      return;
    } else if (by == way::pinned) {
      array_->pin_operate<std::plus<>>(i).apply(i, operand);
    } else if (by == way::relaxed) {
      relaxed_.apply(i, operand, std::plus<>());
    } else {
      array_->apply(i, operand, std::plus<>());
    }
  }

  const elements* array_;
  cached_view<element, access_order::relaxed> relaxed_;
  base::random* random_;
  cached_slip mistake_;
  const std::uint64_t* at_ = nullptr;
  std::uint8_t* registers_ = nullptr;
  std::array<std::uint8_t, max_cells> early_{};
};

/// The most threads that a program has on this rank.
int threads_here(std::span<const program* const> programs, int rank) {
  std::ptrdiff_t result = 1;
  for (const program* p : programs) {
    result = std::max(result, std::ranges::count(p->threads, rank, &thread::rank));
  }
  return static_cast<int>(result);
}

/// The `number`-th thread that the program has on this rank, or null.
const thread* thread_of(const program& p, int rank, int number) {
  for (const thread& t : p.threads) {
    if (t.rank == rank && number-- == 0) return &t;
  }
  return nullptr;
}

/// Programs are short, so their threads meet before them; for a short time only, because a thread
/// may have no processor.
void start_together(const world& w, ptr<element> here, std::size_t threads) {
  const bool polls_cost = !w.fabric().coherent();
  const int patience = polls_cost ? 20 : 2000;
  const atomic_ref<element> count(w, here);
  count.add(1);
  fabric::backoff wait;
  for (int i = 0; i < patience && count.load() < threads; ++i) {
    if (polls_cost) {
      w.context().pause(wait);
    } else if (i % 64 == 63) {
      std::this_thread::yield();
    }
  }
}

/// Collects at rank 0 what all ranks have read.
std::vector<std::vector<std::uint8_t>> all_registers(const world& w, ptr<std::uint8_t> registers,
                                                     std::size_t bytes) {
  std::vector<std::vector<std::uint8_t>> result;
  for (int r = 0; r < w.size(); ++r) {
    get(w, registers.on(r), std::span<std::uint8_t>(result.emplace_back(bytes)));
  }
  return result;
}

}  // namespace

void execute_cached(world& w, std::span<const program* const> programs, const cached_execution& how,
                    const std::function<void(std::size_t, const outcome&)>& report) {
  const layout where(programs, how.copies, w.size(), how.array.chunk);
  cached_array_options options = how.array;
  options.begins = where.begins();
  options.cache_bytes *= 64;  // of a line, whose chunk is not larger
  if (w.rank() % 2 == 1) options.how = how.of_odd_ranks;
  const std::size_t bytes = programs.size() * how.copies * max_registers;
  const auto registers = allocate<std::uint8_t>(w, bytes);
  const auto counts = allocate<element>(w, programs.size());
  const auto place_of = [&](std::size_t i, std::size_t copy) {
    return (i * how.copies + copy) * max_registers;
  };
  {
    const cached_array<element> array(w, where.size(), options);  // ends with a barrier
    std::uint8_t* const mine = local(w, registers);
    w.threads(threads_here(programs, w.rank()), [&](world& world) {
      const elements here = array.on(world);
      base::random random(base::mix(how.seed) + static_cast<unsigned>(64 * w.rank()) +
                          static_cast<unsigned>(world.thread()));
      player me(here, random, how.mistake);
      for (std::size_t i = 0; i < programs.size(); ++i) {
        const program& p = *programs[i];
        const thread* const t = thread_of(p, w.rank(), world.thread());
        if (t == nullptr) continue;
        start_together(world, counts.on(0) + static_cast<std::int64_t>(i), p.threads.size());
        for (std::size_t copy = 0; copy < how.copies; ++copy) {
          me.play(*t, where.of(i, p.places.size(), copy), p.places.size(),
                  mine + place_of(i, copy));
        }
      }
    });
    barrier(w);
    if (w.rank() == 0) {
      const auto read = all_registers(w, registers, bytes);
      for (std::size_t i = 0; i < programs.size(); ++i) {
        const program& p = *programs[i];
        for (std::size_t copy = 0; copy < how.copies; ++copy) {
          outcome seen;
          for (const thread& t : p.threads) {
            for (const step& s : t.steps) {
              if (s.reg == none) continue;
              seen.registers[s.reg] =
                  read[static_cast<std::size_t>(t.rank)][place_of(i, copy) + s.reg];
            }
          }
          for (std::size_t k = 0; k < p.places.size(); ++k) {
            seen.memory[k] = value_of(array.get(where.of(i, p.places.size(), copy)[k]));
          }
          report(i, seen);
        }
      }
    }
    barrier(w);
  }
  deallocate(w, counts);
  deallocate(w, registers);
}

}  // namespace far::litmus
