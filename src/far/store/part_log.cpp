#include "far/store/part_log.hpp"

#include <algorithm>
#include <cstring>

namespace far::stores {
namespace {

/// Free segments that new items leave to those that move.
constexpr std::uint32_t reserve = 2;
/// The small queue's share is one in so many segments. With a tenth and a twentieth hit ratios
/// differed by .01 at most, on all streams that were tried.
constexpr std::uint32_t small_share = 16;
/// Rounds of taking segments after which items need one more use to stay, so that making room ends.
constexpr std::uint64_t patience = 8;

std::uint64_t rounded(std::uint64_t bytes) noexcept { return grains_of(bytes) * grain_bytes; }

}  // namespace

template <class Visit>
void part_log::for_each_live(std::uint32_t number, Visit visit) const noexcept {
  const std::uint32_t used = part_.segment(number).used;
  for (std::uint64_t byte = 0; byte < used;) {
    const std::uint64_t place = part_.place_in(number, byte);
    const item_header header = part_.header(place);
    if (header.is_dead == 0) visit(place, header);
    byte += header.grains() * grain_bytes;
  }
}

queue part_log::take_queue(key_hash hash) const noexcept {
  std::uint16_t& ghost = part_.ghost(hash);
  if (ghost != hash.fingerprint()) return queue::small;
  ghost = 0;
  return queue::main;
}

std::uint64_t part_log::make_room(std::uint64_t bytes, queue of) const noexcept {
  if (index_.is_to_grow() && make_index_room()) index_.grow();
  if (!index_.has_free_overflow()) {
    if (!make_overflow_room()) return 0;
    index_.add_overflow();
  }
  bytes = rounded(bytes);
  return bytes > part_.shape().segment_bytes / 2 ? append_run(bytes, of) : append(bytes, of);
}

// -- appending ------------------------------------------------------------------------------------

bool part_log::open_segment(queue of) const noexcept {
  part_state& state = part_.state();
  // The last one: those at the beginning are the first that the index will need.
  for (std::uint32_t number = state.log_end; number-- > state.log_begin;) {
    if (part_.segment(number).kind != segment_kind::free) continue;
    set_open(number, of);
    return true;
  }
  return false;
}

void part_log::set_open(std::uint32_t number, queue of) const noexcept {
  part_state& state = part_.state();
  part_.segment(number) = {.order = state.next_order++, .kind = segment_kind::items, .of = of};
  state.open[static_cast<std::size_t>(of)] = number;
  ++state.segments_of[static_cast<std::size_t>(of)];
  --state.free_segments;
}

void part_log::set_free(std::uint32_t number) const noexcept {
  part_state& state = part_.state();
  --state.segments_of[static_cast<std::size_t>(part_.segment(number).of)];
  ++state.free_segments;
  part_.segment(number) = {};
}

std::uint64_t part_log::append(std::uint64_t bytes, queue of) const noexcept {
  part_state& state = part_.state();
  const auto has_room = [&] {
    const std::uint32_t open = state.open[static_cast<std::size_t>(of)];
    return open != no_segment && part_.segment(open).used + bytes <= part_.shape().segment_bytes;
  };
  if (!has_room()) {
    if (!free_segments(reserve + 1)) return 0;
    // What has moved may have opened one.
    if (!has_room() && !open_segment(of)) return 0;
  }
  const std::uint32_t open = state.open[static_cast<std::size_t>(of)];
  segment_info& info = part_.segment(open);
  const std::uint64_t place = part_.place_in(open, info.used);
  info.used += static_cast<std::uint32_t>(bytes);
  info.live += static_cast<std::uint32_t>(bytes);
  return place;
}

std::uint64_t part_log::append_run(std::uint64_t bytes, queue of) const noexcept {
  part_state& state = part_.state();
  const std::uint64_t segment_bytes = part_.shape().segment_bytes;
  const auto length = static_cast<std::uint32_t>((bytes + segment_bytes - 1) / segment_bytes);
  if (state.log_end - state.log_begin < length + 2 * reserve) return 0;
  // What leaves is chosen first, by its use, and then where the run comes to lie: what is there
  // moves to where others have left.
  if (!free_segments(length + reserve)) return 0;
  const std::uint32_t first = cheapest_place(length);
  if (first == no_segment) return 0;
  for (std::uint32_t number = first; number < first + length; ++number) {
    vacate(number);
    // Taken at once, so that what moves from the others does not come here.
    part_.segment(number).kind = segment_kind::continues;
    part_.segment(number).of = of;
    ++state.segments_of[static_cast<std::size_t>(of)];
    --state.free_segments;
  }
  segment_info& info = part_.segment(first);
  info.kind = segment_kind::run;
  info.run_length = length;
  info.order = state.next_order++;
  info.used = info.live = static_cast<std::uint32_t>(bytes);
  return part_.place_in(first, 0);
}

std::uint32_t part_log::cheapest_place(std::uint32_t length) const noexcept {
  const part_state& state = part_.state();
  std::uint32_t best = no_segment;
  std::uint64_t least = ~std::uint64_t{0};
  for (std::uint32_t first = state.log_begin; first + length <= state.log_end; ++first) {
    if (part_.segment(first).kind == segment_kind::continues) continue;
    std::uint64_t cost = 0;
    for (std::uint32_t number = first; number < first + length && cost <= least; ++number) {
      const segment_info& info = part_.segment(number);
      // Runs do not move, they leave.
      constexpr std::uint64_t leaving = 8;
      cost += info.kind == segment_kind::run ? leaving * info.live : info.live;
      if (info.kind == segment_kind::run && !part_.shape().evicts) cost = ~std::uint64_t{0};
    }
    if (cost <= least && cost != ~std::uint64_t{0}) {  // the last one: the index will grow
      least = cost;
      best = first;
    }
  }
  return best;
}

// -- removing -------------------------------------------------------------------------------------

void part_log::kill(std::uint64_t place) const noexcept {
  part_state& state = part_.state();
  item_header header = part_.header(place);
  header.is_dead = 1;
  part_.set_header(place, header);
  --state.items;
  state.item_bytes -= header.bytes();
  const std::uint32_t number = part_.segment_of(place);
  segment_info& info = part_.segment(number);
  info.live -= static_cast<std::uint32_t>(header.grains() * grain_bytes);
  if (info.kind == segment_kind::run) {
    const std::uint32_t end = number + info.run_length;
    for (std::uint32_t one = number; one < end; ++one) set_free(one);
  } else if (info.kind == segment_kind::items && info.live == 0 &&
             state.open[static_cast<std::size_t>(info.of)] != number) {
    set_free(number);
  }
}

void part_log::remove(key_hash hash, std::uint64_t* word) const noexcept {
  const std::uint64_t place = entry(load(*word)).place();
  index_.remove(hash, word);
  kill(place);
}

void part_log::expire(key_hash hash, std::uint64_t* word) const noexcept {
  part_counts& counts = part_.state().counts;
  ++counts.expired;
  if (!entry(load(*word)).was_fetched()) ++counts.expired_unfetched;
  remove(hash, word);
}

std::uint64_t part_log::sweep() const noexcept {
  part_state& state = part_.state();
  if (state.next_sweep < state.log_begin || state.next_sweep >= state.log_end) {
    state.next_sweep = state.log_begin;
  }
  std::uint64_t removed = 0;
  for_each_live(state.next_sweep++, [&](std::uint64_t place, const item_header& header) {
    if (!header.has_expired(now_)) return;
    const key_hash hash(part_.key_of(place, header));
    std::uint64_t* const word = index_.find_at(hash, place);
    if (entry(load(*word)).is_shared()) return;
    expire(hash, word);
    ++removed;
  });
  return removed;
}

void part_log::clear() const noexcept {
  const part_state& state = part_.state();
  for (std::uint32_t number = state.log_begin; number < state.log_end; ++number) {
    for_each_live(number, [&](std::uint64_t place, const item_header& header) {
      const key_hash hash(part_.key_of(place, header));
      remove(hash, index_.find_at(hash, place));
    });
  }
}

// -- making room ----------------------------------------------------------------------------------

bool part_log::free_segments(std::uint32_t wanted) const noexcept {
  const part_state& state = part_.state();
  if (state.free_segments >= wanted) return true;
  (void)sweep();
  for (std::uint64_t round = 0; state.free_segments < wanted; ++round) {
    const std::uint32_t before = state.free_segments;
    if (!take_some_segment(round)) return false;
    if (state.free_segments > before) round = 0;
  }
  return true;
}

bool part_log::take_some_segment(std::uint64_t round) const noexcept {
  const part_state& state = part_.state();
  std::uint32_t emptiest = no_segment, oldest[queues] = {no_segment, no_segment};
  std::uint64_t most_dead = 0;
  for (std::uint32_t number = state.log_begin; number < state.log_end; ++number) {
    const segment_info& info = part_.segment(number);
    const auto of = static_cast<std::size_t>(info.of);
    if (info.kind != segment_kind::items && info.kind != segment_kind::run) continue;
    if (state.open[of] == number) continue;
    if (oldest[of] == no_segment || info.order < part_.segment(oldest[of]).order) {
      oldest[of] = number;
    }
    if (info.kind == segment_kind::items && info.used - info.live > most_dead) {
      most_dead = info.used - info.live;
      emptiest = number;
    }
  }
  // Memory of dead items is taken before items leave, unless moving the others costs too much.
  const std::uint64_t enough = part_.shape().segment_bytes / (part_.shape().evicts ? 4 : 16);
  if (most_dead >= enough) {
    take_segment(emptiest, {.all = true, .to = part_.segment(emptiest).of});
    return true;
  }
  if (!part_.shape().evicts) return false;

  const std::uint64_t spare = round / patience;
  const auto [small, main] = oldest;
  const bool is_small_turn =
      state.segments_of[0] * small_share > state.log_end - state.log_begin || main == no_segment;
  const std::uint32_t number = small != no_segment && is_small_turn ? small : main;
  if (number == no_segment) return false;
  keeping which{.uses = spare, .to = queue::main, .used_up = 1 + spare};
  if (part_.segment(number).of == queue::small) {
    which.used_up = entry::most_uses;
    which.ghosts = true;
  }
  if (part_.segment(number).kind == segment_kind::run) {
    take_run(number, which);
  } else {
    take_segment(number, which);
  }
  return true;
}

void part_log::take_segment(std::uint32_t number, const keeping& which) const noexcept {
  part_state& state = part_.state();
  segment_info& info = part_.segment(number);
  std::uint32_t& open = state.open[static_cast<std::size_t>(info.of)];
  if (open == number) open = no_segment;
  info.kind = segment_kind::taken;
  for_each_live(number, [&](std::uint64_t place, const item_header& header) {
    const key_hash hash(part_.key_of(place, header));
    std::uint64_t* const word = index_.find_at(hash, place);
    const entry now(load(*word));
    if (now.is_shared() || (!header.has_expired(now_) && (which.all || now.uses() > which.uses))) {
      move(hash, word, header, which);
    } else if (header.has_expired(now_)) {
      expire(hash, word);
    } else {
      leave(hash, word, which);
    }
  });
  set_free(number);
}

void part_log::take_run(std::uint32_t number, const keeping& which) const noexcept {
  part_state& state = part_.state();
  segment_info& info = part_.segment(number);
  const std::uint64_t place = part_.place_in(number, 0);
  const item_header header = part_.header(place);
  const key_hash hash(part_.key_of(place, header));
  std::uint64_t* const word = index_.find_at(hash, place);
  const entry now(load(*word));
  if (header.has_expired(now_)) return expire(hash, word);
  if (!which.all && now.uses() <= which.uses) return leave(hash, word, which);
  store(*word, now.with_uses(now.uses() - std::min(now.uses(), which.used_up)).word());
  state.segments_of[static_cast<std::size_t>(info.of)] -= info.run_length;
  state.segments_of[static_cast<std::size_t>(which.to)] += info.run_length;
  for (std::uint32_t one = number; one < number + info.run_length; ++one) {
    part_.segment(one).of = which.to;
  }
  info.order = state.next_order++;
}

void part_log::leave(key_hash hash, std::uint64_t* word, const keeping& which) const noexcept {
  part_counts& counts = part_.state().counts;
  ++counts.evicted;
  if (!entry(load(*word)).was_fetched()) ++counts.evicted_unfetched;
  if (which.ghosts) part_.ghost(hash) = hash.fingerprint();
  remove(hash, word);
}

void part_log::move(key_hash hash, std::uint64_t* word, const item_header& header,
                    const keeping& which) const noexcept {
  part_state& state = part_.state();
  const std::uint64_t bytes = header.grains() * grain_bytes;
  const std::uint32_t open = state.open[static_cast<std::size_t>(which.to)];
  const bool has_room =
      open != no_segment && part_.segment(open).used + bytes <= part_.shape().segment_bytes;
  if (!has_room && !open_segment(which.to)) return leave(hash, word, which);
  const entry old(load(*word));
  const std::uint64_t place = append(bytes, which.to);
  fabric::copy_bytes(part_.at(place), part_.at(old.place()), header.bytes());
  {
    const chain_change change(part_, hash);
    store(*word, old.moved_to(place, old.grains())
                     .with_uses(old.uses() - std::min(old.uses(), which.used_up))
                     .word());
  }
  ++state.items;
  state.item_bytes += header.bytes();
  ++state.counts.moved;
  kill(old.place());
}

// -- memory for the index -------------------------------------------------------------------------

bool part_log::make_index_room() const noexcept {
  part_state& state = part_.state();
  while (state.log_begin * part_.shape().segment_bytes < index_.bytes_after_growth()) {
    if (!give_up(state.log_begin)) return false;
    ++state.log_begin;
  }
  return true;
}

bool part_log::make_overflow_room() const noexcept {
  part_state& state = part_.state();
  const std::uint64_t segment_bytes = part_.shape().segment_bytes;
  if (state.overflow_buckets == bucket_word::max_next) return false;
  while ((part_.shape().segments - state.log_end) * segment_bytes <
         index_.bytes_of_more_overflow()) {
    if (!give_up(state.log_end - 1)) return false;
    --state.log_end;
  }
  return true;
}

void part_log::vacate(std::uint32_t number) const noexcept {
  if (part_.segment(number).kind == segment_kind::continues) {
    while (part_.segment(number).kind != segment_kind::run) --number;
  }
  const segment_info& info = part_.segment(number);
  if (info.kind == segment_kind::run) take_run(number, {.uses = entry::most_uses});
  if (info.kind == segment_kind::items) take_segment(number, {.all = true, .to = info.of});
}

bool part_log::give_up(std::uint32_t number) const noexcept {
  part_state& state = part_.state();
  if (state.log_end - state.log_begin <= 4 * reserve || !free_segments(reserve)) return false;
  const segment_kind kind = part_.segment(number).kind;
  const bool is_run = kind == segment_kind::run || kind == segment_kind::continues;
  if (is_run && !part_.shape().evicts) return false;  // it could not move
  vacate(number);
  --state.free_segments;
  return true;
}

}  // namespace far::stores
