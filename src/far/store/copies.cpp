#include "far/store/copies.hpp"

#include <algorithm>

namespace far::stores {
namespace {

/// With the table's own.
std::uint64_t bytes_with(std::string_view key, const stored_item& item) {
  return key.size() + item.value.size() + 128;
}

}  // namespace

std::optional<stored_item> copies::find(key_hash hash, std::string_view key, store_second now) {
  if (how_ == copying::never) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  const auto found = copies_.find(hash.bits);
  if (found == copies_.end() || !found->second.is_there) return std::nullopt;
  copy& here = found->second;
  const store_second expires = here.item.info.expires;
  if (here.key != key || (expires != 0 && expires <= now)) return std::nullopt;
  ++here.reads;
  here.was_read = true;
  ++counts_.from_copies;
  return here.item;
}

bool copies::asks(key_hash hash) {
  if (how_ == copying::never) return false;
  const std::scoped_lock lock(mutex_);
  if (how_ == copying::automatic) {
    past& of = past_of(hash.bits);
    if (of.reads < of.wait) {
      ++of.reads;
      return false;
    }
  }
  return copies_.try_emplace(hash.bits).second;
}

void copies::keep(key_hash hash, std::string_view key, const stored_item& item) {
  const std::scoped_lock lock(mutex_);
  const auto found = copies_.find(hash.bits);
  if (found->second.is_spoiled) {
    copies_.erase(found);
    return;
  }
  ++counts_.copied;
  forget_dropped();
  copy& here = found->second;
  here.is_there = true;
  here.key = key;
  here.item = item;
  here.item.info.was_fetched = true;
  order_.push_back(hash.bits);
  bytes_ += bytes_with(key, item);
  make_room();
}

void copies::give_up(key_hash hash) {
  const std::scoped_lock lock(mutex_);
  copies_.erase(hash.bits);
}

void copies::drop(std::uint64_t hash) {
  const std::scoped_lock lock(mutex_);
  drop_locked(hash);
}

void copies::drop_all(int home, int ranks) {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint64_t> of_home;
  for (const auto& [hash, one] : copies_) {
    if (key_hash(hash).home(ranks) == home) of_home.push_back(hash);
  }
  for (const std::uint64_t hash : of_home) drop_locked(hash);
}

void copies::drop_locked(std::uint64_t hash) {
  const auto found = copies_.find(hash);
  if (found == copies_.end()) return;
  copy& here = found->second;
  if (!here.is_there) {
    here.is_spoiled = true;
    return;
  }
  constexpr float enough = .75F, newest = .25F;
  constexpr std::uint8_t seldom = 63;
  past& of = past_of(hash);
  of.brought += newest * (static_cast<float>(here.reads) - of.brought);
  of.wait = of.brought >= enough ? 0 : seldom;
  of.reads = 0;
  ++counts_.recalled;
  bytes_ -= bytes_with(here.key, here.item);
  copies_.erase(found);
}

void copies::forget_dropped() {
  // Copies that were recalled leave their places in the order.
  constexpr std::size_t few = 1000;
  if (order_.size() < 2 * copies_.size() + few) return;
  order_.clear();
  for (const auto& [hash, one] : copies_) {
    if (one.is_there) order_.push_back(hash);
  }
}

void copies::make_room() {
  // The home does not learn of what goes, and recalls what is no longer there.
  while (bytes_ > max_bytes_) {
    const std::uint64_t hash = order_.front();
    order_.pop_front();
    const auto found = copies_.find(hash);
    if (found == copies_.end() || !found->second.is_there) continue;  // recalled meanwhile
    if (found->second.was_read) {
      found->second.was_read = false;
      order_.push_back(hash);
    } else {
      bytes_ -= bytes_with(found->second.key, found->second.item);
      copies_.erase(found);
    }
  }
}

void copies::count_read(bool is_one_sided) {
  const std::scoped_lock lock(mutex_);
  ++(is_one_sided ? counts_.one_sided : counts_.by_calls);
}

store_choices copies::counted() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

}  // namespace far::stores
