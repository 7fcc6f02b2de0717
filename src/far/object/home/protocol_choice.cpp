#include "far/object/home/protocol_choice.hpp"

#include <algorithm>

#include "far/object/copy/packet_format.hpp"

namespace far::objects {
namespace {

/// Updates that have cost a rank more than so many fetches since it read last were for nothing.
constexpr float patience = 2;
/// Updates end at a balance of - max_loss. Profits count up to max_profit, so that a region that
/// has been updated for long stops as soon.
constexpr float max_loss = 2;
constexpr float max_profit = 4;
constexpr float max_wanted = 48;
/// An update that is read spares more than a fetch: copies of a region that is not updated are also
/// fetched again when it has not changed.
constexpr float worth_of_read = 1.25F;

}  // namespace

void type_habit::add(float fetches) noexcept {
  balance_ = std::clamp(balance_ + fetches, -limit, limit);
}

bool protocol_choice::updates() const noexcept {
  if (chosen_ != object_protocol::automatic) return is_update(chosen_);
  return judged_ ? updates_ : type_->updates();
}

protocol_choice::reader* protocol_choice::find(int rank) noexcept {
  const auto at = std::ranges::find(readers_, rank, &reader::rank);
  return at == readers_.end() ? nullptr : &*at;
}

float protocol_choice::in_fetches(std::size_t cost) const noexcept {
  return static_cast<float>(cost) / static_cast<float>(cost_of_fetch(fetch_bytes_));
}

void protocol_choice::changed(int writer, std::size_t bytes, std::size_t regions) {
  ++changes_;
  if (bytes != 0) change_bytes_ = bytes;
  if (updates()) return;  // what the updates cost is known when they are answered
  const std::size_t in_message =
      std::min(regions, std::max<std::size_t>(max_packet_bytes / (change_bytes_ + 1), 1));
  const std::size_t messages = change_bytes_ / max_packet_bytes;
  const float cost =
      in_fetches(cost_of_update(change_bytes_, in_message) + messages * bytes_of_message);
  std::erase_if(readers_, [&](reader& r) { return r.rank != writer && charge(r, cost); });
}

void protocol_choice::fetched(int rank, std::size_t bytes) {
  fetch_bytes_ = bytes;
  reader* const r = find(rank);
  if (r == nullptr) {
    readers_.push_back({rank});
  } else if (updates()) {
    r->unread = 0;  // updates have not spared it
  } else {
    credit(*r);
  }
}

void protocol_choice::updated(int rank, std::size_t cost, bool was_read) {
  reader* const r = find(rank);
  if (r == nullptr || in_place()) return;  // few are answered then
  if (was_read && r->unread > 0) credit(*r);
  (void)charge(*r, in_fetches(cost));
}

void protocol_choice::left_out(int rank) {
  ++left_;
  if (reader* const r = find(rank)) {
    add(-r->unread);
    std::erase_if(readers_, [&](const reader& other) { return other.rank == rank; });
  }
}

/// Returns whether the rank no longer reads the region.
bool protocol_choice::charge(reader& r, float cost) noexcept {
  ++sent_;
  cost_ += static_cast<double>(cost);
  r.unread += cost;
  if (r.unread < patience) return false;
  add(-r.unread);
  r.unread = 0;
  return true;
}

void protocol_choice::credit(reader& r) noexcept {
  ++read_;
  add((updates() ? worth_of_read : 1) - r.unread);
  r.unread = 0;
}

void protocol_choice::add(float fetches) noexcept {
  if (!judged_) {
    updates_ = type_->updates();
    judged_ = true;
  }
  type_->add(fetches);
  balance_ += fetches;
  if (updates_) {
    balance_ = std::min(balance_, max_profit);
    if (balance_ > -max_loss) return;
    updates_ = false;
    wanted_ = std::min(wanted_ * 2, max_wanted);
  } else {
    balance_ = std::max(balance_, -max_loss);
    if (balance_ < wanted_) return;
    updates_ = true;
  }
  balance_ = 0;
}

}  // namespace far::objects
