#include "far/store/home_calls.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

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

/// What a home answers.
enum class outcome : std::uint8_t {
  done,
  busy,    ///< come again
  shared,  ///< others have copies; ask for their recall
};

struct answer {
  outcome how = outcome::busy;
  store_reply reply;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(how, reply);
  }
};

answer execute_locked(const fabric::fabric& rank, const store_part& of, int home,
                      const store_request& asked, bool is_recalled) {
  part_items items(*of.mapped_part(home), of.options.max_item_bytes, second_of(rank));
  if (is_recalled) items.recalled();
  answer result;
  result.reply = items.execute(asked);
  result.how = items.must_recall() ? outcome::shared : outcome::done;
  return result;
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

void drop_copy(rank_state& state, homes::object_id id, std::uint64_t hash) {
  part_at(state, id)->copied.drop(hash);
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

void drop_all_copies(rank_state& state, homes::object_id id, int home, int ranks) {
  part_at(state, id)->copied.drop_all(home, ranks);
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

struct read_answer {
  bool is_busy = false;
  bool is_there = false;
  bool is_copy = false;
  stored_item item;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(is_busy, is_there, is_copy, item.info, item.value);
  }
};

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

future<std::optional<stored_item>> read_by_call(const world& world, store_part& of, int home,
                                                std::string_view key) {
  using found = std::optional<stored_item>;
  of.copied.count_read(false);
  return rpc<serve_read>(world, home, of.id, key)
      .then([view = world, &of, home, key = std::string(key)](read_answer got) {
        if (got.is_busy) return read_by_call(view, of, home, key);
        return ready_future(view, got.is_there ? found(std::move(got.item)) : found());
      });
}

// -- changes --------------------------------------------------------------------------------------

/// By a call of the home; with a recall if that is needed.
future<store_reply> call_home(const world& world, store_part& of, int home,
                              const store_request& asked, bool recalls) {
  const request_terms& terms = asked;
  auto got = recalls ? rpc<serve_with_recall>(world, home, of.id, terms, asked.key, asked.value)
                     : rpc<serve>(world, home, of.id, terms, asked.key, asked.value);
  return std::move(got).then([view = world, &of, home, terms, key = std::string(asked.key),
                              value = std::string(asked.value)](answer reply) {
    if (reply.how == outcome::done) return ready_future(view, std::move(reply.reply));
    return call_home(view, of, home, {terms, key, value}, reply.how == outcome::shared);
  });
}

/// At a part that is reached by instructions.
answer execute_here(const world& world, const store_part& of, int home,
                    const store_request& asked) {
  const part_lock lock(world.fabric(), of.mapped_part(home)->state().lock);
  const std::ptrdiff_t line = offsetof(part_state, line);
  lock.lock(world, ptr<std::uint64_t>((of.memory.on(home) + line).address()));
  const std::lock_guard guard(lock, std::adopt_lock);
  of.work.charge(world.unchecked_context(), 1);
  return execute_locked(world.fabric(), of, home, asked, false);
}

}  // namespace

future<store_counts> counts_at(const world& world, store_part& of, int rank) {
  return rpc<serve_counts>(world, rank, of.id);
}

future<void> reset_counts_at(const world& world, store_part& of, int rank) {
  return rpc<serve_reset_counts>(world, rank, of.id).then([view = world, &of, rank](bool is_done) {
    return is_done ? ready_future(view) : reset_counts_at(view, of, rank);
  });
}

future<void> erase_all_at(const world& world, store_part& of, int rank) {
  return rpc<serve_erase_all>(world, rank, of.id).then([view = world, &of, rank](bool is_done) {
    return is_done ? ready_future(view) : erase_all_at(view, of, rank);
  });
}

std::optional<std::uint64_t> try_sweep(const world& world, const store_part& of) {
  return try_locked(world.fabric(), of, [&] {
    return part_log(*of.mapped_part(of.rank), second_of(world.fabric())).sweep();
  });
}

store_reply execute(const world& world, store_part& of, const store_request& asked) {
  const int home = key_hash(asked.key).home(world.size());
  bool recalls = false;
  if (of.mapped_part(home) != nullptr) {
    answer here = execute_here(world, of, home, asked);
    if (here.how == outcome::done) return std::move(here.reply);
    recalls = true;
  }
  return call_home(world, of, home, asked, recalls).get();
}

future<store_reply> execute_async(const world& world, store_part& of, const store_request& asked) {
  const int home = key_hash(asked.key).home(world.size());
  bool recalls = false;
  if (of.mapped_part(home) != nullptr) {
    answer here = execute_here(world, of, home, asked);
    if (here.how == outcome::done) return ready_future(world, std::move(here.reply));
    recalls = true;
  }
  return call_home(world, of, home, asked, recalls);
}

future<std::optional<stored_item>> read_remote(const world& world, store_part& of, int home,
                                               std::string_view key) {
  using found = std::optional<stored_item>;
  const key_hash hash(key);
  of.work.charge(world.unchecked_context(), 1);
  if (auto copy = of.copied.find(hash, key, second_of(world.fabric()))) {
    return ready_future(world, std::move(copy));
  }
  if (!of.copied.asks(hash)) return read_by_call(world, of, home, key);
  return rpc<serve_copy>(world, home, of.id, world.rank(), key)
      .then([view = world, &of, home, hash, key = std::string(key)](read_answer got) {
        if (got.is_copy) {
          of.copied.keep(hash, key, got.item);
        } else {
          of.copied.give_up(hash);
        }
        if (got.is_busy) return read_by_call(view, of, home, key);
        return ready_future(view, got.is_there ? found(std::move(got.item)) : found());
      });
}

}  // namespace far::stores
