#include "far/store/sharers.hpp"

#include <algorithm>

namespace far::stores {

void sharers::add(std::uint64_t hash, int rank, std::uint64_t bytes) {
  key& of = keys_[hash];
  if (std::ranges::find(of.ranks, rank) == of.ranks.end()) of.ranks.push_back(rank);
  bytes_ += bytes - of.bytes;
  of.bytes = bytes;
}

std::vector<int> sharers::recall(std::uint64_t hash) {
  key& of = keys_[hash];
  of.is_recalled = true;
  ++recalled_;
  return std::move(of.ranks);
}

void sharers::forget(std::uint64_t hash) {
  const auto found = keys_.find(hash);
  if (found == keys_.end()) return;
  bytes_ -= found->second.bytes;
  if (found->second.is_recalled) --recalled_;
  keys_.erase(found);
}

bool sharers::recall_all() {
  if (recalled_ != 0 || !is_open_) return false;
  is_open_ = false;
  for (auto& [hash, of] : keys_) of.is_recalled = true;
  recalled_ = keys_.size();
  return true;
}

void sharers::reopen() {
  keys_.clear();
  bytes_ = recalled_ = 0;
  is_open_ = true;
}

}  // namespace far::stores
