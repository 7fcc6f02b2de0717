#include "far/sections/transfer_group.hpp"

#include "far/base/error.hpp"

namespace far {

transfer_group::~transfer_group() {
  // Also if an exception is on its way: it destroys the memory to which gets write. Other ranks are
  // not needed for it, except for their progress, which they make until the job ends or fails.
  while (!members_.empty() && !world_.fabric().knows_failure()) {
    try {
      wait();
    } catch (...) {
      // Whoever wants to know it calls wait.
    }
  }
}

void transfer_group::add(int rank, future<void> operation) {
  if (!operation.valid()) {
    throw bad_argument("transfer_group.add: the future has been used before, or moved from");
  }
  members_.push_back({rank, std::move(operation)});
}

bool transfer_group::test(int rank) {
  world_.progress();
  bool all = true;
  for (std::size_t i = 0; i < members_.size();) {
    if (!members_[i].is_on(rank)) {
      ++i;
    } else if (!members_[i].operation.ready()) {
      all = false;
      ++i;
    } else {
      future<void> done = std::move(members_[i].operation);
      members_[i] = std::move(members_.back());
      members_.pop_back();
      done.get();
    }
  }
  return all;
}

void transfer_group::wait(int rank) {
  for (std::size_t i = 0; i < members_.size();) {
    if (!members_[i].is_on(rank)) {
      ++i;
      continue;
    }
    future<void> done = std::move(members_[i].operation);
    members_[i] = std::move(members_.back());
    members_.pop_back();
    done.get();
  }
}

}  // namespace far
