#include "far/object/copy/copy_table.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/object/heap/words.hpp"

namespace far::objects {

void copy::make_twin() {
  if (twin_place != nullptr) {
    twin = {twin_place, twin_deleter{true}};
  } else {
    twin = {new std::byte[bytes()], twin_deleter{}};
  }
  load_words(twin.get(), data, bytes());
}

copy_table::copy_table(int ranks, std::uint64_t memory_of_rank, std::uint64_t limit,
                       rank_state* reachable)
    : memory_of_rank_(memory_of_rank), limit_(limit / page_bytes), reachable_(reachable) {
  memory_.resize(static_cast<std::size_t>(ranks));
}

std::byte* copy_table::memory_of(int rank) {
  auto& memory = memory_[static_cast<std::size_t>(rank)];
  if (memory.start() == nullptr) memory = copy_memory(memory_of_rank_, reachable_);
  return memory.start();
}

void copy_table::release(rank_state& rank) {
  for (copy_memory& memory : memory_) memory.release(rank);
}

copy* copy_table::find(place at) const {
  const auto found = copies_.find(at.bits());
  return found == copies_.end() ? nullptr : found->second.get();
}

copy& copy_table::make(place at, const type_descriptor& type) {
  auto& slot = copies_[at.bits()];
  slot = std::make_unique<copy>();
  slot->at = at;
  slot->type = &type;
  slot->data = memory_of(at.rank()) + at.offset();
  slot->twin_place = memory_[static_cast<std::size_t>(at.rank())].twin_of(at.offset());
  if (slot->twin_place != nullptr) update_word(slot->twin_place).begin();
  blocks_[block_of(at)].copies.push_back(slot.get());
  return *slot;
}

bool copy_table::is_given_up(const dropped_copy& d) const {
  const copy* const c = find(d.at);
  return c == nullptr || (c->number == d.number && c->fetched == 0);
}

bool copy_table::claim_memory(copy& c, std::size_t bytes, std::vector<dropped_copy>& dropped) {
  block& b = blocks_.at(block_of(c.at));
  const std::uint64_t begin = c.at.offset() % block_bytes - sizeof(region_header);
  std::uint32_t pages = 0;
  for (std::uint64_t p = begin / page_bytes; p * page_bytes < begin + sizeof(region_header) + bytes;
       ++p) {
    pages |= std::uint32_t{1} << p;
  }
  const auto fresh = static_cast<std::uint64_t>(std::popcount(pages & ~b.pages));
  if (pages_ + fresh > limit_) evict(fresh, block_of(c.at), dropped);
  if (pages_ + fresh > limit_) return false;
  b.pages |= pages;
  pages_ += fresh;
  touched_ += fresh;
  return true;
}

void copy_table::touch(const copy& c, std::uint64_t turn) {
  block& b = blocks_.at(block_of(c.at));
  if (b.turn == turn) return;
  b.turn = turn;
  touched_ += static_cast<std::uint64_t>(std::popcount(b.pages));
}

bool copy_table::is_in_use(const block& b) {
  return std::ranges::any_of(b.copies, [](const copy* c) {
    return c->readers > 0 || c->writers > 0 || c->busy != busy_with::nothing;
  });
}

/// False if the home is writing one of them. Then the others stay as they were.
bool copy_table::close_all(const block& b) {
  if (std::ranges::all_of(b.copies, &copy::close)) return true;
  for (const copy* c : b.copies) c->offer();
  return false;
}

void copy_table::evict(std::uint64_t pages, std::uint64_t except,
                       std::vector<dropped_copy>& dropped) {
  auto at = blocks_.lower_bound(hand_);
  for (std::size_t looked_at = blocks_.size(); looked_at-- > 0 && pages_ + pages > limit_;) {
    if (at == blocks_.end()) at = blocks_.begin();
    const auto candidate = at++;
    block& b = candidate->second;
    if (candidate->first == except || is_in_use(b)) continue;
    if (std::ranges::any_of(b.copies, &copy::owned)) continue;  // the home has it taken back first
    if (!close_all(b)) continue;
    for (const copy* c : b.copies) {
      if (c->present) dropped.push_back({c->at, c->number});
      copies_.erase(c->at.bits());
    }
    erase(candidate);
  }
  hand_ = at == blocks_.end() ? 0 : at->first;
}

std::vector<place> copy_table::unused_owned(std::size_t most) const {
  std::vector<place> found;
  for (const auto& [number, b] : blocks_) {
    if (is_in_use(b)) continue;
    for (const copy* c : b.copies) {
      if (c->owned && found.size() < most) found.push_back(c->at);
    }
  }
  return found;
}

/// A block without copies.
void copy_table::erase(std::map<std::uint64_t, block>::iterator at) {
  const place first(at->first * block_bytes);
  pages_ -= static_cast<std::uint64_t>(std::popcount(at->second.pages));
  memory_[static_cast<std::size_t>(first.rank())].give_back(first.offset(), block_bytes);
  blocks_.erase(at);
}

void copy_table::erase_unchanged() {
  for (auto at = blocks_.begin(); at != blocks_.end();) {
    const auto candidate = at++;
    std::erase_if(candidate->second.copies, [this](const copy* c) {
      return c->twin == nullptr && copies_.erase(c->at.bits()) > 0;
    });
    if (candidate->second.copies.empty()) erase(candidate);
  }
}

void copy_table::throw_full() const {
  throw out_of_memory(fmt::format(
      "object_space: all {} KB of copies at this rank are in use: synchronize or call safe_point() "
      "more often, or raise object_space_options::cache_bytes or FAR_OBJECT_CACHE",
      limit_ * page_bytes >> 10));
}

void copy_table::erase(copy& c) {
  const auto found = blocks_.find(block_of(c.at));
  std::erase(found->second.copies, &c);
  if (found->second.copies.empty()) erase(found);
  copies_.erase(c.at.bits());
}

}  // namespace far::objects
