#include "far/array/cached/element_locks.hpp"

namespace far::cached {

bool element_locks::acquire(element& e, bool shared) noexcept {
  if (e.writer || (!shared && e.readers > 0)) return false;
  if (shared) {
    ++e.readers;
  } else {
    e.writer = true;
  }
  return true;
}

void element_locks::request(std::vector<lock_answer>& answers, std::uint64_t index,
                            lock_request what, const fabric::reply_token& token) {
  const bool shared = what == lock_request::shared || what == lock_request::try_shared;
  const bool waits = what == lock_request::exclusive || what == lock_request::shared;
  element& e = elements_[index];
  const bool granted = e.waiters.empty() && acquire(e, shared);
  if (granted || !waits) {
    answers.push_back({token, granted});
  } else {
    e.waiters.push_back({token, shared});
  }
}

bool element_locks::release(std::vector<lock_answer>& answers, std::uint64_t index, bool shared) {
  const auto at = elements_.find(index);
  if (at == elements_.end()) return false;
  element& e = at->second;
  if (shared ? e.readers == 0 : !e.writer) return false;
  if (shared) {
    --e.readers;
  } else {
    e.writer = false;
  }
  while (!e.waiters.empty() && acquire(e, e.waiters.front().shared)) {
    answers.push_back({e.waiters.front().token, true});
    e.waiters.pop_front();
  }
  if (e.readers == 0 && !e.writer && e.waiters.empty()) elements_.erase(at);
  return true;
}

}  // namespace far::cached
