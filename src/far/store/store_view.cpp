#include "far/store/store_view.hpp"

#include <utility>

#include "far/base/relax.hpp"
#include "far/rma/promise.hpp"
#include "far/rma/when_all.hpp"
#include "far/rpc/call.hpp"
#include "far/store/part_items.hpp"
#include "far/store/part_lock.hpp"

namespace far {
namespace {

using stores::store_part;

std::shared_ptr<store_part> part_at(rank_state& state, homes::object_id id) {
  return state.get<homes::registry>().find<store_part>(id);
}

/// What a call of the home brings: nothing if the part was in use.
using answer = std::optional<store_reply>;

answer serve(rank_state& state, homes::object_id id, const request_terms& terms,
             const std::string& key, const std::string& value) {
  const store_request asked{terms, key, value};
  return stores::try_execute(state.fabric(), *part_at(state, id), asked);
}

/// An item that was read at its home. `is_busy`: it was being changed.
struct read_answer {
  bool is_busy = false;
  bool is_there = false;
  stored_item item;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(is_busy, is_there, item.info, item.value);
  }
};

read_answer serve_read(rank_state& state, homes::object_id id, const std::string& key) {
  constexpr int looks = 100;
  const auto of = part_at(state, id);
  read_answer found;
  int look = 0;
  const auto result = stores::read_item(
      *of->mapped_part(of->rank), stores::key_hash(key), key, true,
      [&] { return stores::second_of(state.fabric()); },
      [&] {
        base::relax();
        return ++look < looks;
      },
      [&](const item_info& info) {
        found.item.info = info;
        found.item.value.resize(info.value_bytes);
        return found.item.value.data();
      });
  found.is_there = result == stores::read_result::found;
  found.is_busy = result == stores::read_result::gave_up;
  if (!found.is_there) found.item.value.clear();
  return found;
}

}  // namespace

store_second store_view::second_after(std::chrono::seconds lifetime) const {
  if (lifetime.count() == 0) return 0;
  return static_cast<store_second>(std::max<std::int64_t>(now_s() + lifetime.count(), 1));
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

store_reply store_view::execute(const store_request& asked) const {
  const int home = home_of(asked.key);
  if (part_->mapped_part(home) == nullptr) return call(home, asked).get();
  part_->work.charge(world_.unchecked_context(), 1);
  return stores::execute_at(world_, *part_, home, asked);
}

future<store_reply> store_view::execute_async(const store_request& asked) const {
  const int home = home_of(asked.key);
  if (part_->mapped_part(home) == nullptr) return call(home, asked);
  return ready_future(world_, execute(asked));
}

future<store_reply> store_view::call(int home, const store_request& asked) const {
  const request_terms& terms = asked;
  return rpc<serve>(world_, home, part_->id, terms, asked.key, asked.value)
      .then([view = *this, home, terms, key = std::string(asked.key),
             value = std::string(asked.value)](answer got) {
        if (got) return ready_future(view.world_, std::move(*got));
        return view.call(home, {terms, key, value});
      });
}

future<std::optional<stored_item>> store_view::get_async(std::string_view key) const {
  using found = std::optional<stored_item>;
  const int home = home_of(key);
  if (part_->mapped_part(home) != nullptr) return ready_future(world_, get(key));
  return rpc<serve_read>(world_, home, part_->id, key)
      .then([view = *this, key = std::string(key)](read_answer got) {
        if (got.is_busy) return view.get_async(key);
        found item;
        if (got.is_there) item = std::move(got.item);
        return ready_future(view.world_, std::move(item));
      });
}

}  // namespace far
