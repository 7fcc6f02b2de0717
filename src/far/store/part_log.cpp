#include "far/store/part_log.hpp"

#include <algorithm>
#include <utility>

#include "far/store/part_read.hpp"

namespace far::stores {
namespace {

/// Free segments that new items leave to those that move.
constexpr std::uint32_t reserve = 2;
/// The small queue's share is one in so many segments. With a tenth and a twentieth hit ratios
/// differed by .01 at most, on all streams that were tried.
constexpr std::uint32_t small_share = 16;
/// Rounds of taking segments after which items need one more use to stay, so that making room ends.
constexpr std::uint64_t patience = 8;

void tell(departure why, const part_memory& part, const std::uint64_t* word) noexcept {
  if (part.observer() == nullptr) return;
  const entry at(load(*word));
  const item_header header = part.header(at.place());
  part.observer()->leaves(why, part.key_of(at.place(), header), info_of(header, at));
}

std::uint64_t rounded(std::uint64_t bytes) noexcept { return grains_of(bytes) * grain_bytes; }

}  // namespace

template <class Visit>
void part_log::for_each_live(std::uint32_t number, Visit visit) const noexcept {
  if (part_.segment(number).kind == segment_kind::continues) return;
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
  return append(rounded(bytes), of);
}

// -- appending ------------------------------------------------------------------------------------

std::uint64_t part_log::append(std::uint64_t bytes, queue of) const noexcept {
  part_state& state = part_.state();
  const lane lane = extents_.lane_of(bytes, of);
  if (has_room(open(lane), bytes)) return push(open(lane), bytes);

  const std::uint32_t least = extents_.least_length(bytes);
  if (state.log_end - state.log_begin < least + 2 * reserve) return 0;
  (void)sweep();
  // After so many rounds all that may leave has left.
  const std::uint64_t rounds = (entry::most_uses + 2) * patience + state.log_end - state.log_begin;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (has_room(open(lane), bytes)) return push(open(lane), bytes);
    const std::uint32_t length = length_for(bytes, lane);
    if (state.free_segments >= length + reserve) {
      part_extents::window place = extents_.find_free(length, length);
      if (place.length == 0) place = empty_window(length);
      if (place.length != 0) return append_to_new(place, lane, bytes);
    }
    const std::uint32_t free = state.free_segments;
    if (!take_some(round)) break;
    if (state.free_segments > free) round = 0;
  }
  return state.free_segments >= least + reserve ? append_to_free(bytes, of) : 0;
}

std::uint64_t part_log::append_to_free(std::uint64_t bytes, queue of) const noexcept {
  const lane lane = extents_.lane_of(bytes, of);
  if (has_room(open(lane), bytes)) return push(open(lane), bytes);
  const std::uint32_t least = extents_.least_length(bytes);
  const auto place = extents_.find_free(length_for(bytes, lane), least);
  return place.length == 0 ? 0 : append_to_new(place, lane, bytes);
}

std::uint32_t part_log::length_for(std::uint64_t bytes, lane of) const noexcept {
  // It gets an extent of its own where it would close one of which much is left.
  const std::uint64_t segment_bytes = part_.shape().segment_bytes;
  const std::uint32_t least = extents_.least_length(bytes);
  if (open(of) != no_segment) {
    const std::uint64_t room = extents_.room_in(open(of));
    const std::uint64_t lost = least * segment_bytes - bytes;
    if (room > lost && 8 * room > part_.segment(open(of)).length * segment_bytes) return least;
  }
  return extents_.wanted_length(bytes);
}

std::uint64_t part_log::append_to_new(const part_extents::window& which, lane of,
                                      std::uint64_t bytes) const noexcept {
  extents_.make(which, of);
  const std::uint64_t place = push(which.first, bytes);
  offer(which.first);
  return place;
}

std::uint64_t part_log::push(std::uint32_t extent, std::uint64_t bytes) const noexcept {
  segment_info& info = part_.segment(extent);
  const std::uint64_t place = part_.place_in(extent, info.used);
  info.used += static_cast<std::uint32_t>(bytes);
  info.live += static_cast<std::uint32_t>(bytes);
  return place;
}

void part_log::offer(std::uint32_t extent) const noexcept {
  std::uint32_t& open_one = open(part_.segment(extent).of);
  if (open_one != no_segment && extents_.room_in(open_one) > extents_.room_in(extent)) {
    return close(extent);
  }
  const std::uint32_t before = std::exchange(open_one, extent);
  if (before != no_segment) close(before);
}

void part_log::close(std::uint32_t extent) const noexcept {
  if (part_.segment(extent).live == 0) return extents_.set_free(extent);
  extents_.shorten(extent, extents_.least_length(part_.segment(extent).used));
}

// -- removing -------------------------------------------------------------------------------------

void part_log::kill(std::uint64_t place) const noexcept {
  part_state& state = part_.state();
  item_header header = part_.header(place);
  header.is_dead = 1;
  part_.set_header(place, header);
  --state.items;
  state.item_bytes -= header.bytes();
  const std::uint32_t extent = part_.extent_of(place);
  segment_info& info = part_.segment(extent);
  info.live -= static_cast<std::uint32_t>(header.grains() * grain_bytes);
  if (info.kind == segment_kind::items && info.live == 0 && open(info.of) != extent) {
    extents_.set_free(extent);
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
  tell(departure::expired, part_, word);
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
  for (std::uint64_t round = 0; state.free_segments < wanted; ++round) {
    const std::uint32_t before = state.free_segments;
    if (!take_some(round)) return false;
    if (state.free_segments > before) round = 0;
  }
  return true;
}

bool part_log::take_some(std::uint64_t round) const noexcept {
  const part_state& state = part_.state();
  const std::uint64_t segment_bytes = part_.shape().segment_bytes;
  const std::uint64_t share = part_.shape().evicts ? 4 : 16;
  std::uint32_t emptiest = no_segment, oldest[queues] = {no_segment, no_segment};
  std::uint64_t most_dead = 0;
  for (std::uint32_t number = state.log_begin; number < state.log_end; ++number) {
    const segment_info& info = part_.segment(number);
    if (info.kind != segment_kind::items || open(info.of) == number) continue;
    std::uint32_t& first = oldest[static_cast<std::size_t>(info.of.of)];
    if (first == no_segment || info.order < part_.segment(first).order) first = number;
    const std::uint64_t dead = info.used - info.live;
    if (dead > most_dead && dead * share >= info.length * segment_bytes) {
      most_dead = dead;
      emptiest = number;
    }
  }
  // Memory of dead items is taken before items leave, unless moving the others costs too much.
  if (emptiest != no_segment) {
    take(emptiest, {.all = true, .to = part_.segment(emptiest).of.of});
    return true;
  }
  if (!part_.shape().evicts) return false;

  const std::uint64_t spare = round / patience;
  const auto [small, main] = oldest;
  const bool is_small_turn =
      state.segments_of[0] * small_share > state.log_end - state.log_begin || main == no_segment;
  const std::uint32_t extent = small != no_segment && is_small_turn ? small : main;
  if (extent == no_segment) return false;
  keeping which{.uses = spare, .to = queue::main, .used_up = 1 + spare};
  if (part_.segment(extent).of.of == queue::small) {
    which.used_up = entry::most_uses;
    which.ghosts = true;
  }
  take(extent, which);
  return true;
}

void part_log::take(std::uint32_t extent, const keeping& which) const noexcept {
  part_.segment(extent).kind = segment_kind::taken;
  std::uint32_t end = 0;  // of what stays in this one
  for_each_live(extent, [&](std::uint64_t place, const item_header& header) {
    const key_hash hash(part_.key_of(place, header));
    std::uint64_t* const word = index_.find_at(hash, place);
    const entry now(load(*word));
    if (!now.is_shared()) {
      if (header.has_expired(now_)) return expire(hash, word);
      if (!which.all && now.uses() <= which.uses) return leave(hash, word, which.ghosts);
    }
    const std::uint64_t bytes = header.grains() * grain_bytes;
    const std::uint32_t open_one = open(extents_.lane_of(bytes, which.to));
    if (has_room(open_one, bytes)) {
      move(hash, word, header, push(open_one, bytes), which.used_up);
    } else {
      slide(hash, word, header, part_.place_in(extent, end), which.used_up);
      end += static_cast<std::uint32_t>(bytes);
    }
  });
  if (end == 0) return extents_.set_free(extent);
  part_.segment(extent).kind = segment_kind::items;
  part_.segment(extent).used = end;
  extents_.requeue(extent, which.to);
  offer(extent);
}

bool part_log::vacate(std::uint32_t number) const noexcept {
  if (part_.segment(number).kind == segment_kind::free) return true;
  const std::uint32_t extent = part_.segment(number).first;
  segment_info& info = part_.segment(extent);
  if (open(info.of) == extent) open(info.of) = no_segment;
  info.kind = segment_kind::taken;
  bool is_empty = true;
  for_each_live(extent, [&](std::uint64_t place, const item_header& header) {
    const key_hash hash(part_.key_of(place, header));
    std::uint64_t* const word = index_.find_at(hash, place);
    const bool is_shared = entry(load(*word)).is_shared();
    if (!is_shared && header.has_expired(now_)) return expire(hash, word);
    const std::uint64_t to = append_to_free(header.grains() * grain_bytes, info.of.of);
    if (to != 0) {
      move(hash, word, header, to, 0);
    } else if (part_.shape().evicts && !is_shared) {
      leave(hash, word, false);
    } else {
      is_empty = false;
    }
  });
  info.kind = segment_kind::items;
  if (is_empty) extents_.set_free(extent);
  return is_empty;
}

part_extents::window part_log::empty_window(std::uint32_t length) const noexcept {
  const std::uint32_t first = extents_.cheapest(length);
  if (first == no_segment) return {};
  const auto fence_free = [&] {  // so that nothing moves there
    for (std::uint32_t number = first; number < first + length; ++number) {
      if (part_.segment(number).kind == segment_kind::free) extents_.fence(number);
    }
  };
  bool is_empty = true;
  for (std::uint32_t number = first; is_empty && number < first + length; ++number) {
    fence_free();
    if (part_.segment(number).kind != segment_kind::taken) is_empty = vacate(number);
  }
  fence_free();
  if (is_empty) return {first, length};
  for (std::uint32_t number = first; number < first + length; ++number) {
    if (part_.segment(number).kind == segment_kind::taken) extents_.release(number);
  }
  return {};
}

void part_log::leave(key_hash hash, std::uint64_t* word, bool leaves_ghost) const noexcept {
  part_counts& counts = part_.state().counts;
  ++counts.evicted;
  if (!entry(load(*word)).was_fetched()) ++counts.evicted_unfetched;
  if (leaves_ghost) part_.ghost(hash) = hash.fingerprint();
  tell(departure::evicted, part_, word);
  remove(hash, word);
}

void part_log::move(key_hash hash, std::uint64_t* word, const item_header& header, std::uint64_t to,
                    std::uint64_t used_up) const noexcept {
  part_state& state = part_.state();
  const entry old(load(*word));
  fabric::copy_bytes(part_.at(to), part_.at(old.place()), header.bytes());
  {
    const chain_change change(part_, hash);
    store(*word, old.moved_to(to, old.grains())
                     .with_uses(old.uses() - std::min(old.uses(), used_up))
                     .word());
  }
  ++state.items;
  state.item_bytes += header.bytes();
  ++state.counts.moved;
  kill(old.place());
}

void part_log::slide(key_hash hash, std::uint64_t* word, const item_header& header,
                     std::uint64_t to, std::uint64_t used_up) const noexcept {
  const entry old(load(*word));
  const entry now = old.with_uses(old.uses() - std::min(old.uses(), used_up));
  const std::uint64_t distance = (old.place() - to) * grain_bytes;
  if (distance == 0) return store(*word, now.word());
  // In pieces that do not overlap. Readers wait, as the item has no place meanwhile.
  const chain_change change(part_, hash);
  for (std::uint64_t done = 0; done < header.bytes(); done += distance) {
    fabric::copy_bytes(part_.at(to) + done, part_.at(old.place()) + done,
                       std::min(distance, header.bytes() - done));
  }
  store(*word, now.moved_to(to, old.grains()).word());
  ++part_.state().counts.moved;
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

bool part_log::give_up(std::uint32_t number) const noexcept {
  part_state& state = part_.state();
  if (state.log_end - state.log_begin <= 4 * reserve || !free_segments(reserve)) return false;
  if (!vacate(number)) return false;
  extents_.fence(number);  // it is not the log's any more
  return true;
}

}  // namespace far::stores
