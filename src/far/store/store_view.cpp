#include "far/store/store_view.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/when_all.hpp"
#include "far/store/home_serves.hpp"

namespace far {

store_second store_view::second_after(std::chrono::seconds lifetime) const {
  if (lifetime.count() == 0) return 0;
  constexpr std::int64_t last = std::numeric_limits<store_second>::max();
  const std::int64_t seconds = std::clamp(std::int64_t{lifetime.count()}, -last, last);
  return static_cast<store_second>(std::clamp(now_s() + seconds, std::int64_t{1}, last));
}

store_request store_view::storing(store_verb verb, std::string_view key, std::string_view value,
                                  const store_terms& terms) const {
  store_request asked;
  asked.verb = verb;
  asked.key = key;
  asked.value = value;
  asked.flags = terms.flags;
  asked.expires = second_after(terms.lifetime);
  asked.cas = terms.cas;
  return asked;
}

store_reply store_view::increment(std::string_view key, std::uint64_t delta) const {
  store_request asked;
  asked.verb = store_verb::increment;
  asked.key = key;
  asked.delta = delta;
  return execute(asked);
}

store_reply store_view::decrement(std::string_view key, std::uint64_t delta) const {
  store_request asked;
  asked.verb = store_verb::decrement;
  asked.key = key;
  asked.delta = delta;
  return execute(asked);
}

store_reply store_view::touch(std::string_view key, std::chrono::seconds lifetime) const {
  store_request asked;
  asked.verb = store_verb::touch;
  asked.key = key;
  asked.expires = second_after(lifetime);
  return execute(asked);
}

store_reply store_view::erase(std::string_view key) const {
  store_request asked;
  asked.verb = store_verb::erase;
  asked.key = key;
  return execute(asked);
}

future<std::optional<stored_item>> store_view::get_async(std::string_view key) const {
  const int home = home_of(key);
  if (part_->mapped_part(home) != nullptr) return ready_future(world_, get(key));
  return stores::read_remote_async(world_, *part_, home, key);
}

std::vector<std::optional<stored_item>> store_view::get_many(
    std::span<const std::string_view> keys) const {
  return stores::read_many(world_, *part_, keys);
}

std::vector<store_reply> store_view::put_many(std::span<const std::string_view> keys,
                                              std::span<const std::string_view> values,
                                              const store_terms& terms) const {
  if (keys.size() != values.size()) {
    throw bad_argument(fmt::format("put_many: {} keys, but {} values", keys.size(), values.size()));
  }
  std::vector<store_request> asked;
  asked.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    asked.push_back(storing(store_verb::put, keys[i], values[i], terms));
  }
  return stores::execute_many(world_, *part_, asked);
}

std::string store_view::explain() const {
  const store_choices made = choices();
  return fmt::format(
      "{}gets of other machines: {} from copies, {} by calls, {} one-sided; {} copies, {} of them "
      "recalled\n",
      part_->choices != nullptr ? part_->choices->explain() : std::string(), made.from_copies,
      made.by_calls, made.one_sided, made.copied, made.recalled);
}

future<store_counts> store_view::counts_async(int rank) const {
  return stores::counts_at(world_, *part_, rank);
}

future<void> store_view::reset_counts_async() const {
  std::vector<future<void>> all;
  for (int rank = 0; rank < world_.size(); ++rank) {
    all.push_back(stores::reset_counts_at(world_, *part_, rank));
  }
  return when_all(world_, std::move(all));
}

future<void> store_view::erase_all_async() const {
  std::vector<future<void>> all;
  for (int rank = 0; rank < world_.size(); ++rank) {
    all.push_back(stores::erase_all_at(world_, *part_, rank));
  }
  return when_all(world_, std::move(all));
}

void store_view::observe(std::shared_ptr<store_observer> observer) const {
  const std::scoped_lock lock(part_->mutex);
  part_->observer.store(observer.get(), std::memory_order_release);
  part_->observers.push_back(std::move(observer));
}

std::uint64_t store_view::sweep() const {
  return stores::try_sweep(world_.fabric(), *part_).value_or(0);
}

std::optional<std::uint64_t> store_view::visit_some(std::uint64_t cursor,
                                                    stores::item_visit visit) const {
  return stores::try_walk(world_.fabric(), *part_, cursor, visit);
}

}  // namespace far
