#include "far/store/part_items.hpp"

#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

namespace far::stores {
namespace {

/// Values up to this size are overwritten where they are, if the new one is about as long. Readers
/// wait meanwhile, so longer ones are written elsewhere.
constexpr std::uint64_t max_overwritten = 1024;

constexpr bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The number that a value is, as strtoull reads it: with spaces around it, and perhaps a plus.
std::optional<std::uint64_t> number_in(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  if (end != text.data() + text.size() && !is_space(*end)) return std::nullopt;
  return value;
}

}  // namespace

store_reply part_items::execute(const store_request& asked) {
  asked_ = &asked;
  if (asked.key.empty() || asked.key.size() > max_store_key_bytes) {
    return store_reply(store_status::too_large);
  }
  hash_ = key_hash(asked.key);
  switch (asked.verb) {
    case store_verb::get:
    case store_verb::touch:
      return get();
    case store_verb::put:
    case store_verb::add:
    case store_verb::replace:
      return put();
    case store_verb::append:
    case store_verb::prepend:
      return extend();
    case store_verb::increment:
    case store_verb::decrement:
      return count();
    case store_verb::erase:
      return erase();
  }
  return {};
}

part_items::found_item part_items::find() {
  std::uint64_t* const word = index_.find(hash_, asked_->key);
  if (word == nullptr) return {};
  const std::uint64_t place = entry(load(*word)).place();
  const item_header header = part_.header(place);
  if (!header.has_expired(now_)) return {word, place, header};
  if (!entry(load(*word)).is_shared()) log_.expire(hash_, word);
  return {};
}

part_items::found_item part_items::find_to_change() {
  if (std::uint64_t* const word = index_.find(hash_, asked_->key)) {
    const entry now(load(*word));
    if (now.is_shared() && !recalled_) {
      must_recall_ = true;
      return {};
    }
    store(*word, now.with_shared(false).word());
  }
  return find();
}

std::optional<store_reply> part_items::share(std::string_view key, std::uint64_t max_value) {
  store_request asked;
  asked.key = key;
  asked_ = &asked;
  hash_ = key_hash(key);
  const found_item item = find();
  if (!item || item.header.value_bytes > max_value) return std::nullopt;
  store(*item.word, entry(load(*item.word)).used().with_shared(true).word());
  store_reply reply = describe(item);
  reply.value = value_of(item);
  return reply;
}

std::string_view part_items::value_of(const found_item& item) const noexcept {
  return {reinterpret_cast<const char*>(part_.value(item.place, item.header)),
          item.header.value_bytes};
}

store_reply part_items::describe(const found_item& item) const {
  store_reply reply;
  reply.status = store_status::done;
  reply.is_stale = item.header.is_stale != 0;
  reply.is_won = item.header.is_won != 0;
  reply.was_fetched = entry(load(*item.word)).was_fetched();
  reply.binary_key = item.header.binary_key != 0;
  reply.flags = item.header.flags;
  reply.expires = item.header.expires;
  reply.accessed = item.header.accessed;
  reply.cas = item.header.cas;
  reply.value_bytes = item.header.value_bytes;
  return reply;
}

void part_items::change(const found_item& item) const noexcept {
  const chain_change change(part_, hash_);
  part_.set_header(item.place, item.header);
}

void part_items::remove() {
  if (const found_item old = find()) log_.remove(hash_, old.word);
}

// -- storing --------------------------------------------------------------------------------------

void part_items::write(std::uint64_t place, const item_header& header,
                       const new_item& item) const noexcept {
  part_.set_header(place, header);
  fabric::copy_bytes(part_.key(place), asked_->key.data(), asked_->key.size());
  std::byte* to = part_.value(place, header);
  fabric::copy_bytes(to, item.value.data(), item.value.size());
  to += item.value.size();
  fabric::copy_bytes(to, item.more.data(), item.more.size());
  to += item.more.size();
  for (std::uint64_t i = 0; i < item.spaces; ++i) fabric::copy_bytes(to + i, " ", 1);
}

store_reply part_items::keep(const new_item& item) {
  item_header header = item.header;
  const std::uint64_t value_bytes = item.value.size() + item.more.size() + item.spaces;
  const std::uint64_t bytes = sizeof header + asked_->key.size() + value_bytes;
  if (bytes > max_bytes_) {
    if (asked_->verb == store_verb::put) remove();
    return store_reply(store_status::too_large);
  }
  header.key_bytes = asked_->key.size() & 0xff;
  header.value_bytes = value_bytes & 0xfffff;
  header.accessed = now_;
  part_state& state = part_.state();
  found_item old = find();
  if (old && old.header.grains() == header.grains() && value_bytes <= max_overwritten) {
    header.cas = ++state.last_cas;
    ++state.counts.stored;
    state.item_bytes += header.bytes() - old.header.bytes();
    const chain_change change(part_, hash_);
    write(old.place, header, item);
    const entry before(load(*old.word));
    store(*old.word, (item.keeps_fetched ? before : before.not_fetched()).word());
  } else {
    const std::uint64_t place =
        log_.make_room(bytes, old ? log_.queue_of(old.place) : log_.take_queue(hash_));
    if (place == 0) {
      ++state.counts.refused;
      if (asked_->verb == store_verb::put) remove();
      return store_reply(store_status::no_memory);
    }
    header.cas = ++state.last_cas;
    ++state.counts.stored;
    write(place, header, item);
    ++state.items;
    state.item_bytes += header.bytes();
    old = find();  // it may have moved or left meanwhile
    if (old) {
      const chain_change change(part_, hash_);
      const entry before(load(*old.word));
      store(*old.word, before.not_fetched().moved_to(place, header.grains()).word());
      log_.kill(old.place);
    } else {
      index_.add(hash_, entry(hash_.tag(), place, header.grains()));
    }
  }
  store_reply reply;
  reply.status = store_status::done;
  reply.flags = header.flags;
  reply.expires = header.expires;
  reply.accessed = header.accessed;
  reply.cas = header.cas;
  reply.value_bytes = header.value_bytes;
  return reply;
}

store_reply part_items::put() {
  const found_item old = find_to_change();
  if (must_recall_) return {};
  const store_request& asked = *asked_;
  const bool compares = asked.cas != 0 || asked.compares_cas;
  new_item item{.value = asked.value, .header = {.expires = asked.expires, .flags = asked.flags}};
  item.header.binary_key = asked.binary_key;
  if (!old) {
    if (asked.verb == store_verb::replace || compares) return {};
    return keep(item);
  }
  if (asked.verb == store_verb::add) {
    const entry there(load(*old.word));
    store(*old.word, there.with_uses(there.used().uses()).word());  // it is not fetched
    return store_reply(store_status::present);
  }
  if (compares && asked.cas != old.header.cas) {
    const bool is_older = asked.cas != 0 && asked.cas < old.header.cas;
    if (!asked.marks_stale || !is_older) return store_reply(store_status::changed);
    item.header.expires = old.header.expires;
    item.header.is_stale = 1;
    item.header.is_won = old.header.is_won;
  }
  return keep(item);
}

store_reply part_items::extend() {
  const found_item old = find_to_change();
  if (must_recall_) return {};
  const store_request& asked = *asked_;
  if (!old) {
    if (!asked.makes) return {};
    new_item item{.value = asked.value,
                  .header = {.expires = asked.made_expires, .flags = asked.flags}};
    item.header.binary_key = asked.binary_key;
    store_reply reply = keep(item);
    reply.made = reply.status == store_status::done;
    return reply;
  }
  if (asked.cas != 0 && asked.cas != old.header.cas) return store_reply(store_status::changed);
  const std::string before(value_of(old));  // the item may move
  new_item item{.value = before,
                .more = asked.value,
                .header = {.expires = old.header.expires, .flags = old.header.flags}};
  if (asked.verb == store_verb::prepend) std::swap(item.value, item.more);
  return keep(item);
}

store_reply part_items::count() {
  found_item old = find_to_change();
  if (must_recall_) return {};
  const store_request& asked = *asked_;
  char digits[std::numeric_limits<std::uint64_t>::digits10 + 2];
  const auto text_of = [&](std::uint64_t value) {
    char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return std::string_view(digits, static_cast<std::size_t>(end - digits));
  };
  if (!old) {
    if (!asked.makes) return {};
    const std::string_view text = text_of(asked.initial);
    new_item item{.value = text, .header = {.expires = asked.made_expires}};
    item.header.binary_key = asked.binary_key;
    store_reply reply = keep(item);
    reply.made = reply.status == store_status::done;
    if (asked.wants_value) reply.value = text;
    return reply;
  }
  if (old.header.value_bytes == 0) return store_reply(store_status::not_a_number);
  if (asked.cas != 0 && asked.cas != old.header.cas) return store_reply(store_status::changed);
  const auto number = number_in(value_of(old));
  if (!number) return store_reply(store_status::not_a_number);
  const bool is_sum = asked.verb == store_verb::increment;
  const std::uint64_t value =
      is_sum ? *number + asked.delta : *number - std::min(*number, asked.delta);
  const std::string_view text = text_of(value);
  new_item item{.value = text, .header = old.header};
  if (asked.sets_expiry) item.header.expires = asked.expires;
  if (text.size() <= old.header.value_bytes) {
    // A value never gets shorter, which memcached's clients know, and stays the same item.
    item.spaces = old.header.value_bytes - text.size();
    item.keeps_fetched = true;
  } else {
    item.header.is_stale = item.header.is_won = item.header.binary_key = 0;
  }
  store_reply reply = keep(item);
  reply.expires = old.header.expires;
  if (asked.wants_value) reply.value = text;
  return reply;
}

// -- the others -----------------------------------------------------------------------------------

store_reply part_items::get() {
  const store_request& asked = *asked_;
  const bool changes = asked.verb == store_verb::touch || asked.sets_expiry || asked.makes ||
                       (asked.may_win && asked.renew_before != 0);
  found_item item = changes ? find_to_change() : find();
  if (must_recall_) return {};
  if (!item) {
    if (!asked.makes) return {};
    new_item empty{.value = {}, .header = {.expires = asked.made_expires}};
    empty.header.is_won = 1;
    empty.header.binary_key = asked.binary_key;
    store_reply reply = keep(empty);
    reply.won = reply.made = reply.status == store_status::done;
    if (reply.made && asked.is_use) {
      std::uint64_t* const word = index_.find(hash_, asked.key);
      store(*word, entry(load(*word)).used().word());
    }
    return reply;
  }
  store_reply reply = describe(item);
  const bool is_due = item.header.expires != 0 && item.header.expires < asked.renew_before;
  reply.won = asked.may_win && !reply.is_won && (reply.is_stale || is_due);
  if (reply.won && !changes) {
    item = find_to_change();
    if (must_recall_) return {};
  }
  if (asked.verb == store_verb::get && asked.wants_value) reply.value = value_of(item);
  item_header header = item.header;
  if (asked.sets_expiry || asked.verb == store_verb::touch) header.expires = asked.expires;
  if (reply.won && asked.verb == store_verb::get) header.is_won = 1;
  if (asked.is_use) {
    header.accessed = now_;
    store(*item.word, entry(load(*item.word)).used().word());
  }
  item.header = header;
  change(item);
  return reply;
}

store_reply part_items::erase() {
  found_item item = find_to_change();
  if (must_recall_) return {};
  const store_request& asked = *asked_;
  if (!item) return {};
  const bool compares = asked.cas != 0 || asked.compares_cas;
  if (compares && asked.cas != item.header.cas) return store_reply(store_status::changed);
  store_reply reply = describe(item);
  if (!asked.marks_stale) {
    log_.remove(hash_, item.word);
    return reply;
  }
  item.header.is_stale = 1;
  item.header.is_won = 0;
  item.header.cas = ++part_.state().last_cas;
  if (asked.sets_expiry) item.header.expires = asked.expires;
  change(item);
  return reply;
}

}  // namespace far::stores
