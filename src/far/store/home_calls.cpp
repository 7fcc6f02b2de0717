#include "far/store/home_calls.hpp"

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "far/rma/promise.hpp"
#include "far/rpc/call.hpp"
#include "far/store/home_serves.hpp"
#include "far/store/one_sided_read.hpp"
#include "far/store/part_lock.hpp"
#include "far/store/part_read.hpp"

namespace far::stores {
namespace {

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

future<std::optional<stored_item>> ask_for_copy(const world& world, store_part& of, int home,
                                                key_hash hash, std::string_view key) {
  using found = std::optional<stored_item>;
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

std::optional<stored_item> read_here(const world& world, const store_part& of, int home,
                                     key_hash hash, std::string_view key) {
  std::optional<stored_item> found(std::in_place);
  of.work.charge(world.unchecked_context(), 1);
  fabric::turn turn;
  const auto result = read_item(
      *of.mapped_part(home), hash, key, true, [&] { return second_of(world.fabric()); },
      [&] {
        world.context().await_turn(turn);
        return true;
      },
      [&](const item_info& info) {
        found->info = info;
        found->value.resize(info.value_bytes);
        return found->value.data();
      });
  if (result != read_result::found) found.reset();
  return found;
}

std::optional<stored_item> read_remote(const world& world, store_part& of, int home,
                                       std::string_view key) {
  const key_hash hash(key);
  of.work.charge(world.unchecked_context(), 1);
  if (auto copy = of.copied.find(hash, key, second_of(world.fabric()))) return copy;
  if (of.copied.asks(hash)) return ask_for_copy(world, of, home, hash, key).get();
  if (of.options.reads == policy::one_sided) return read_one_sided(world, of, home, hash, key);
  if (of.choices == nullptr) return read_by_call(world, of, home, key).get();
  constexpr auto find = containers::map_operation::find;
  const auto begun = of.choices->begin(world, home, find, containers::phase_kind::mixed);
  auto item = begun.by_call() ? read_by_call(world, of, home, key).get()
                              : read_one_sided(world, of, home, hash, key);
  of.choices->end(world, begun);
  return item;
}

future<std::optional<stored_item>> read_remote_async(const world& world, store_part& of, int home,
                                                     std::string_view key) {
  const key_hash hash(key);
  of.work.charge(world.unchecked_context(), 1);
  if (auto copy = of.copied.find(hash, key, second_of(world.fabric()))) {
    return ready_future(world, std::move(copy));
  }
  if (of.copied.asks(hash)) return ask_for_copy(world, of, home, hash, key);
  return read_by_call(world, of, home, key);
}

}  // namespace far::stores
