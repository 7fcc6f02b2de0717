#include "far/containers/map/batch.hpp"

#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::containers {

void calls_in_flight::add(future<void> call) {
  constexpr std::size_t max = 128;
  calls_.push_back(std::move(call));
  if (calls_.size() > max) wait_for_oldest();
}

void calls_in_flight::wait() {
  while (!calls_.empty()) wait_for_oldest();
  if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void calls_in_flight::wait_for_oldest() {
  future<void> oldest = std::move(calls_.front());
  calls_.pop_front();
  guard([&oldest] { oldest.get(); });
}

void check_lengths(std::size_t keys, std::size_t operands) {
  if (keys == operands) return;
  throw bad_argument(fmt::format(
      "a batch of a hash_map has {} keys but {} values or operands: give one for each key", keys,
      operands));
}

void check_results(std::size_t keys, std::size_t results) {
  if (keys == results) return;
  throw fabric_error(fmt::format(
      "a message was damaged: it has {} results for {} keys of a hash_map", results, keys));
}

}  // namespace far::containers
