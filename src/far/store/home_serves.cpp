#include "far/store/home_serves.hpp"

#include <memory>
#include <mutex>
#include <utility>

#include "far/base/relax.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/call.hpp"
#include "far/store/part_items.hpp"
#include "far/store/part_lock.hpp"
#include "far/store/part_read.hpp"

namespace far::stores {
namespace {

constexpr int looks = 100;  // of a handler at a part that is in use

std::shared_ptr<store_part> part_at(rank_state& state, homes::object_id id) {
  return state.get<homes::registry>().find<store_part>(id);
}

/// At this rank's own part, by a handler. Returns nothing if the part is in use.
template <class Work>
auto try_locked(const fabric::fabric& rank, const store_part& of, Work work)
    -> std::optional<decltype(work())> {
  const part_lock lock(rank, of.mapped_part(of.rank)->state().lock);
  for (int look = 0; !lock.try_lock(); ++look) {
    if (look == looks) return std::nullopt;
    base::relax();
  }
  const std::lock_guard guard(lock, std::adopt_lock);
  return work();
}

void drop_copy(rank_state& state, homes::object_id id, std::uint64_t hash) {
  part_at(state, id)->copied.drop(hash);
}

void drop_all_copies(rank_state& state, homes::object_id id, int home, int ranks) {
  part_at(state, id)->copied.drop_all(home, ranks);
}

/// When nobody has a copy any more. No rank gets one before the change is made.
answer execute_recalled(const fabric::fabric& rank, store_part& of, const store_request& asked) {
  const std::scoped_lock lock(of.mutex);
  const auto result =
      try_locked(rank, of, [&] { return execute_locked(rank, of, of.rank, asked, true); });
  // Without the change the mark stays, and the next who comes makes its change at once.
  of.shared.forget(key_hash(asked.key).bits);
  return result.value_or(answer{});
}

}  // namespace

answer execute_locked(const fabric::fabric& rank, const store_part& of, int home,
                      const store_request& asked, bool is_recalled) {
  part_items items(*of.mapped_part(home), of.options.max_item_bytes, second_of(rank));
  if (is_recalled) items.recalled();
  answer result;
  result.reply = items.execute(asked);
  result.how = items.must_recall() ? outcome::shared : outcome::done;
  return result;
}

answer serve(rank_state& state, homes::object_id id, const request_terms& terms,
             const std::string& key, const std::string& value) {
  const auto of = part_at(state, id);
  return try_locked(
             state.fabric(), *of,
             [&] {
               return execute_locked(state.fabric(), *of, of->rank, {terms, key, value}, false);
             })
      .value_or(answer{});
}

// -- recalls --------------------------------------------------------------------------------------

future<answer> serve_with_recall(world& lane, homes::object_id id, const request_terms& terms,
                                 const std::string& key, const std::string& value) {
  const auto of = part_at(lane.state(), id);
  const std::uint64_t hash = key_hash(key).bits;
  std::vector<int> ranks;
  {
    const std::scoped_lock lock(of->mutex);
    const auto state = of->shared.of(hash);
    if (state == sharers::state::recalled || !of->shared.are_open())
      return ready_future(lane, answer{});
    if (state == sharers::state::shared) ranks = of->shared.recall(hash);
  }
  std::vector<future<void>> dropped;
  for (const int rank : ranks) dropped.push_back(rpc<drop_copy>(lane, rank, id, hash));
  return when_all(lane, std::move(dropped)).then([view = lane, of, terms, key, value] {
    return execute_recalled(view.fabric(), *of, {terms, key, value});
  });
}

/// Whether it was done; else come again.
future<bool> serve_erase_all(world& lane, homes::object_id id) {
  const auto of = part_at(lane.state(), id);
  {
    const std::scoped_lock lock(of->mutex);
    if (!of->shared.recall_all()) return ready_future(lane, false);
  }
  std::vector<future<void>> dropped;
  for (int rank = 0; rank < lane.size(); ++rank) {
    dropped.push_back(rpc<drop_all_copies>(lane, rank, id, of->rank, lane.size()));
  }
  return when_all(lane, std::move(dropped)).then([view = lane, of] {
    const std::scoped_lock lock(of->mutex);
    of->shared.reopen();
    return try_locked(view.fabric(), *of,
                      [&] {
                        part_log(*of->mapped_part(of->rank), second_of(view.fabric())).clear();
                        return true;
                      })
        .has_value();
  });
}

store_counts serve_counts(rank_state& state, homes::object_id id) {
  const auto of = part_at(state, id);
  return counts_of(*of->mapped_part(of->rank));
}

/// Whether it was done; else come again.
bool serve_reset_counts(rank_state& state, homes::object_id id) {
  const auto of = part_at(state, id);
  return try_locked(state.fabric(), *of,
                    [&] {
                      of->mapped_part(of->rank)->state().counts = {};
                      return true;
                    })
      .has_value();
}

// -- reads ----------------------------------------------------------------------------------------

read_answer serve_read(rank_state& state, homes::object_id id, const std::string& key) {
  const auto of = part_at(state, id);
  read_answer found;
  int look = 0;
  const auto result = read_item(
      *of->mapped_part(of->rank), key_hash(key), key, true,
      [&] { return second_of(state.fabric()); },
      [&] {
        base::relax();
        return ++look < looks;
      },
      [&](const item_info& info) {
        found.item.info = info;
        found.item.value.resize(info.value_bytes);
        return found.item.value.data();
      });
  found.is_there = result == read_result::found;
  found.is_busy = result == read_result::gave_up;
  if (!found.is_there) found.item.value.clear();
  return found;
}

/// The same, and the caller may keep a copy if the answer says so.
read_answer serve_copy(rank_state& state, homes::object_id id, int reader, const std::string& key) {
  const auto of = part_at(state, id);
  const std::uint64_t hash = key_hash(key).bits;
  const std::scoped_lock lock(of->mutex);
  const std::uint64_t limit = of->shape.bytes() / 8;
  if (of->shared.of(hash) == sharers::state::recalled || !of->shared.are_open() ||
      !of->shared.have_room(copies::max_value, limit)) {
    return serve_read(state, id, key);
  }
  const auto shared = try_locked(state.fabric(), *of, [&] {
    part_items items(*of->mapped_part(of->rank), of->options.max_item_bytes,
                     second_of(state.fabric()));
    return items.share(key, copies::max_value);
  });
  if (!shared || !*shared) return serve_read(state, id, key);
  of->shared.add(hash, reader, key.size() + (*shared)->value.size());
  read_answer found;
  found.is_there = found.is_copy = true;
  found.item.info = **shared;
  found.item.value = std::move((*shared)->value);
  return found;
}

// -- many at once ---------------------------------------------------------------------------------

std::vector<answer> serve_many(rank_state& state, homes::object_id id,
                               const std::vector<wire_request>& asked) {
  std::vector<answer> answers;
  answers.reserve(asked.size());
  for (const wire_request& one : asked) {
    answers.push_back(serve(state, id, one.terms, one.key, one.value));
  }
  return answers;
}

std::vector<read_answer> serve_read_many(rank_state& state, homes::object_id id,
                                         const std::vector<std::string>& keys) {
  std::vector<read_answer> answers;
  answers.reserve(keys.size());
  for (const std::string& key : keys) answers.push_back(serve_read(state, id, key));
  return answers;
}

std::optional<std::uint64_t> try_walk(const fabric::fabric& rank, const store_part& of,
                                      std::uint64_t cursor, item_visit visit) {
  constexpr std::uint64_t buckets = 16;  // so that nobody waits long for the lock
  return try_locked(rank, of, [&] {
    return walk(*of.mapped_part(of.rank), cursor, buckets, second_of(rank), visit);
  });
}

std::optional<std::uint64_t> try_sweep(const fabric::fabric& rank, const store_part& of) {
  return try_locked(rank, of,
                    [&] { return part_log(*of.mapped_part(of.rank), second_of(rank)).sweep(); });
}

}  // namespace far::stores
