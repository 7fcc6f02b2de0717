#include "test/litmus/execute.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include "far/base/check.hpp"
#include "far/base/random.hpp"

namespace far::litmus {
namespace {

using cell = std::uint64_t;

constexpr std::size_t places = 3;          // max of a program
constexpr std::size_t cells_of_place = 8;  // a cache line each
constexpr std::size_t cells_of_copy = places * cells_of_place;
constexpr std::size_t max_cells_at_once = std::size_t{1} << 17;

/// Repeats a small value in every byte.
constexpr cell spread = 0x0101010101010101;

/// The source buffers of puts. They must live as long as any put is in flight.
const std::array<cell, 2>& source(std::uint8_t value) {
  static const auto table = [] {
    std::array<std::array<cell, 2>, 32> made{};
    for (std::size_t i = 0; i < made.size(); ++i) made[i].fill(i * spread);
    return made;
  }();
  return table[value];
}

/// The value of a cell. For a place that transfers access, one byte represents all.
std::uint8_t value_of(cell c, bool bytes) {
  const auto low = static_cast<std::uint8_t>(c);
  return bytes || c == low * spread ? low : torn;
}

/// Each rank's memory for one program after another.
struct board {
  ptr<cell> cells;              // [program][copy][place][cells_of_place]
  ptr<std::uint8_t> registers;  // [program][copy][max_registers], of the rank's own thread
  ptr<cell> rounds;             // the number of programs that this rank has begun
  ptr<cell> count;              // at rank 0: the sum over all ranks
  std::size_t copies = 1;

  [[nodiscard]] ptr<cell> at(const program& p, std::size_t place, std::size_t copy) const {
    const std::size_t index = copy * cells_of_copy + place * cells_of_place;
    return (cells + static_cast<std::int64_t>(index)).on(p.places[place].home);
  }
};

/// The thread of one rank, for one program and all copies.
class player {
 public:
  player(world& world, const program& p, const board& where, slip mistake, std::uint64_t seed)
      : world_(&world), program_(&p), board_(where), mistake_(mistake), random_(seed) {}

  void play(const thread& t, std::size_t copy, std::uint8_t* registers) {
    for (const step& s : t.steps) {
      if (random_.below(16) == 0) linger();
      one(s, copy, registers);
    }
  }
  /// Waits for non-blocking operations, and stores the values of gets.
  void finish() {
    flush(*world_);
    for (coming& c : coming_) *c.to = value_of(c.value.get(), c.bytes);
  }

 private:
  struct coming {
    std::uint8_t* to;
    future<cell> value;
    bool bytes;
  };

  /// Delays this rank: some outcomes need a rank that pauses, and appear very rarely otherwise.
  void linger() {
    if (world_->fabric().coherent()) {
      std::this_thread::yield();
    } else {
      world_->compute(random_.below(100));
    }
  }
  void one(const step& s, std::size_t copy, std::uint8_t* registers);
  void write(const step& s, ptr<cell> at, std::size_t copy);
  void put_word(const step& s, ptr<cell> at);
  void read(const step& s, ptr<cell> at, std::uint8_t* to);
  void update(const step& s, ptr<cell> at, std::uint8_t* to);
  void later(std::uint8_t* to, future<cell> value, const step& s) {
    coming_.push_back({to, std::move(value), program_->is_moved_by_transfer(s.place)});
  }

  world* world_;
  const program* program_;
  board board_;
  slip mistake_;
  base::random random_;
  std::deque<coming> coming_;
  std::vector<future<void>> started_;
};

void player::one(const step& s, std::size_t copy, std::uint8_t* registers) {
  if (s.what == verb::flush) {
    if (mistake_ == slip::no_flush) return;
    return flush(*world_, s.rank == every_rank ? fabric::all_ranks : s.rank);
  }
  if (s.what == verb::complete) {
    for (future<void>& f : started_) f.wait();
    for (coming& c : coming_) c.value.wait();
    return started_.clear();
  }
  FAR_CHECK(s.place != none, "a litmus program that runs in the abstract only");
  const ptr<cell> at = board_.at(*program_, s.place, copy);
  if (is_update(s.what)) {
    update(s, at, registers + s.reg);
  } else if (writes(s.what)) {
    write(s, at, copy);
  } else {
    read(s, at, registers + s.reg);
  }
}

void player::write(const step& s, ptr<cell> at, std::size_t copy) {
  const std::span<const cell> from(source(s.value).data(), s.cells);
  if (s.what == verb::store) {
    const atomic_ref<cell> word(*world_, at);
    if (s.async) {
      started_.push_back(word.store_async(from[0]));
    } else {
      word.store(from[0]);
    }
  } else if (s.signal != none) {
    const signal after = signal_of(board_.at(*program_, s.signal, copy), spread);
    if (mistake_ == slip::signal_first) {
      notify(*world_, after);
      put(*world_, at, from);
    } else if (s.async) {
      started_.push_back(put_async(*world_, at, from, after));
    } else {
      put(*world_, at, from, after);
    }
  } else if (s.cells == 1) {
    put_word(s, at);
  } else if (s.async || mistake_ == slip::unfinished_put) {
    started_.push_back(put_async(*world_, at, from));
  } else {
    put(*world_, at, from);
  }
}

void player::put_word(const step& s, ptr<cell> at) {
  const cell value = source(s.value)[0];
  if (mistake_ == slip::half_words) {
    const ptr<std::uint32_t> halves(at.address());
    put(*world_, halves, static_cast<std::uint32_t>(value));
    put(*world_, halves + 1, static_cast<std::uint32_t>(value));
  } else if (s.async || mistake_ == slip::unfinished_put) {
    started_.push_back(put_async(*world_, at, value));
  } else {
    put(*world_, at, value);
  }
}

void player::read(const step& s, ptr<cell> at, std::uint8_t* to) {
  const bool bytes = program_->is_moved_by_transfer(s.place);
  if (s.what == verb::wait_signal) {
    *to = value_of(wait_signal(*world_, at, at_least{1}), bytes);
  } else if (s.what == verb::load) {
    *to = value_of(atomic_ref<cell>(*world_, at).load(), bytes);
  } else if (s.cells > 1) {
    std::array<cell, 2> values{};
    get(*world_, at, std::span<cell>(values));
    std::ranges::transform(values, to, [&](cell c) { return value_of(c, bytes); });
  } else if (s.async) {
    later(to, get_async(*world_, at), s);
  } else {
    *to = value_of(get(*world_, at), bytes);
  }
}

void player::update(const step& s, ptr<cell> at, std::uint8_t* to) {
  const bool bytes = program_->is_moved_by_transfer(s.place);
  const cell operand = source(s.value)[0];
  const atomic_ref<cell> word(*world_, at);
  if (mistake_ == slip::update_by_get_put) {
    const cell old = get(*world_, at);
    *to = value_of(old, bytes);
    put(*world_, at, s.what == verb::swap ? operand : old + operand);
  } else if (s.async) {
    later(to, s.what == verb::swap ? word.exchange_async(operand) : word.fetch_add_async(operand),
          s);
  } else {
    *to = value_of(s.what == verb::swap ? word.exchange(operand) : word.fetch_add(operand), bytes);
  }
}

/// Collects at rank 0 what all ranks have read, and the memory.
class collector {
 public:
  collector(world& world, const board& from, std::size_t programs)
      : board_(from),
        cells_(programs * from.copies * cells_of_copy),
        registers_(programs * from.copies * max_registers),
        all_cells_(static_cast<std::size_t>(world.size()), cells_),
        all_registers_(static_cast<std::size_t>(world.size()), registers_) {
    for (int r = 0; r < world.size(); ++r) {
      const auto rank = static_cast<std::size_t>(r);
      get(world, from.cells.on(r), std::span<cell>(all_cells_[rank]));
      get(world, from.registers.on(r), std::span<std::uint8_t>(all_registers_[rank]));
    }
  }

  [[nodiscard]] outcome of(const program& p, std::size_t index, std::size_t copy) const {
    outcome result;
    const std::size_t place = index * board_.copies + copy;
    for (const thread& t : p.threads) {
      const auto& mine = all_registers_[static_cast<std::size_t>(t.rank)];
      for (const step& s : t.steps) {
        for (std::size_t c = 0; s.reg != none && c < s.cells; ++c) {
          result.registers[s.reg + c] = mine[place * max_registers + s.reg + c];
        }
      }
    }
    for (std::size_t i = 0; i < p.places.size(); ++i) {
      const auto& home = all_cells_[static_cast<std::size_t>(p.places[i].home)];
      for (std::size_t c = 0; c < static_cast<std::size_t>(p.places[i].cells); ++c) {
        result.memory[p.first_cell(i) + c] = value_of(
            home[place * cells_of_copy + i * cells_of_place + c], p.is_moved_by_transfer(i));
      }
    }
    return result;
  }

 private:
  board board_;
  std::vector<cell> cells_;
  std::vector<std::uint8_t> registers_;
  std::vector<std::vector<cell>> all_cells_;
  std::vector<std::vector<std::uint8_t>> all_registers_;
};

/// Ranks leave a barrier one after the other, and their programs are short. So they meet again, at
/// a word that each rank increments and then polls for a while. Only for a short time: another rank
/// may have no processor.
void start_together(const world& w, ptr<cell> count, cell round) {
  constexpr int patience = 4000;
  const atomic_ref<cell> here(w, count.on(0));
  here.add(1);
  const cell all = round * static_cast<cell>(w.size());
  for (int i = 0; i < patience && here.load() < all; ++i) {
    if (i % 64 == 63) std::this_thread::yield();
  }
}

void play_all(world& w, std::span<const program* const> programs, const board& where,
              slip mistake) {
  std::uint8_t* const registers = local(w, where.registers);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const program& p = *programs[i];
    board mine = where;
    mine.cells = where.cells + static_cast<std::int64_t>(i * where.copies * cells_of_copy);
    player me(w, p, mine, mistake, i * fabric::max_job_ranks + static_cast<std::size_t>(w.rank()));
    barrier(w);
    if (w.fabric().coherent()) start_together(w, where.count, ++*local(w, where.rounds));
    for (std::size_t copy = 0; copy < where.copies; ++copy) {
      for (const thread& t : p.threads) {
        if (t.rank != w.rank()) continue;
        me.play(t, copy, registers + (i * where.copies + copy) * max_registers);
      }
    }
    me.finish();
  }
}

}  // namespace

void execute(world& w, std::span<const program* const> programs, const execution& how,
             const std::function<void(std::size_t, const outcome&)>& report) {
  const std::size_t max = std::max<std::size_t>(
      1, std::min(programs.size(), max_cells_at_once / (how.copies * cells_of_copy)));
  board where;
  where.copies = how.copies;
  where.cells = allocate<cell>(w, max * how.copies * cells_of_copy);
  where.registers = allocate<std::uint8_t>(w, max * how.copies * max_registers);
  where.rounds = allocate<cell>(w);
  where.count = allocate<cell>(w);
  for (std::size_t begin = 0; begin < programs.size(); begin += max) {
    const auto chunk = programs.subspan(begin, std::min(max, programs.size() - begin));
    std::ranges::fill(local_span(w, where.cells, max * how.copies * cells_of_copy), 0);
    play_all(w, chunk, where, how.mistake);  // its first barrier follows all zeroing
    barrier(w);
    if (w.rank() == 0) {
      const collector all(w, where, chunk.size());
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        for (std::size_t copy = 0; copy < how.copies; ++copy) {
          report(begin + i, all.of(*chunk[i], i, copy));
        }
      }
    }
    barrier(w);
  }
  deallocate(w, where.count);
  deallocate(w, where.rounds);
  deallocate(w, where.registers);
  deallocate(w, where.cells);
}

}  // namespace far::litmus
