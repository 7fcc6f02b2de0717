#include "armci/pending.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace far::armci {

void pending::add(armci_hdl_t* handle, int proc, future<void> started) {
  if (started.ready()) return started.get();
  int number = 0;
  if (handle != nullptr) {
    number = handle->target;
    if (number <= 0 || !by_number_.contains(number)) number = handle->target = unused_number();
  }
  by_number_[number].push_back({proc, std::move(started)});
}

/// Numbers come again after some two billions, except those that are in flight.
int pending::unused_number() {
  do {
    last_number_ = last_number_ == std::numeric_limits<int>::max() ? 1 : last_number_ + 1;
  } while (by_number_.contains(last_number_));
  return last_number_;
}

void pending::wait(const armci_hdl_t& handle) {
  const auto found = by_number_.find(handle.target);
  if (handle.target == 0 || found == by_number_.end()) return;
  auto operations = std::move(found->second);
  by_number_.erase(found);
  for (operation& each : operations) each.done.get();
}

void pending::wait_proc(int proc) {
  for (auto entry = by_number_.begin(); entry != by_number_.end();) {
    std::vector<operation>& operations = entry->second;
    std::erase_if(operations, [proc](operation& each) {
      if (each.proc != proc) return false;
      each.done.get();
      return true;
    });
    // Of a handle, too: nobody has to wait for it once it is complete.
    entry = operations.empty() ? by_number_.erase(entry) : std::next(entry);
  }
}

void pending::wait_all() {
  auto all = std::exchange(by_number_, {});
  for (auto& [number, operations] : all) {
    for (operation& each : operations) each.done.get();
  }
}

bool pending::is_complete(const armci_hdl_t& handle) const {
  const auto found = by_number_.find(handle.target);
  if (handle.target == 0 || found == by_number_.end()) return true;
  return std::ranges::all_of(found->second,
                             [](const operation& each) { return each.done.ready(); });
}

}  // namespace far::armci
