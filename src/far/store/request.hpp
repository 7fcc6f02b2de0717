#pragma once
// One operation on one key of a store, and what comes of it. All operations that change an item are
// one struct, because they are carried out in one place, at the key's home, by one function.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace far {

/// Seconds of a store's clock (store::now_s), which is the job's. 0: never.
using store_second = std::uint32_t;

enum class store_verb : std::uint8_t {
  get,        ///< also touches, where the request has a new expiry
  put,        ///< whether or not there is an item
  add,        ///< only if there is none
  replace,    ///< only if there is one
  append,     ///< adds the value behind that of the item, whose flags and expiry stay
  prepend,    ///< before it
  increment,  ///< the value is a decimal number of 64 bits, which wraps around
  decrement,  ///< the same, but never below 0
  touch,      ///< gives the item another expiry
  erase,
};

enum class store_status : std::uint8_t {
  done,
  absent,        ///< there is no item with this key
  present,       ///< add has found one
  changed,       ///< the item's CAS unique is not the request's
  not_a_number,  ///< increment and decrement: the item's value is no decimal number of 64 bits
  too_large,     ///< key or item; an older item is gone, unless it was to be kept (append, ...)
  no_memory,     ///< there is no room, and nothing that could be evicted
};

/// What is asked for, but for key and value. The letters in brackets are the flags of memcached's
/// meta commands.
struct request_terms {
  store_verb verb = store_verb::get;
  std::uint32_t flags = 0;
  store_second expires = 0;   ///< of a new value; of touch, and of get if `sets_expiry`
  std::uint64_t cas = 0;      ///< if not 0, the item must have this CAS unique (C)
  std::uint64_t delta = 1;    ///< increment, decrement (D)
  std::uint64_t initial = 0;  ///< their value for a new item, if `makes` (J)

  bool compares_cas = false;  ///< the item must have `cas` also if that is 0, which none has
  bool sets_expiry = false;   ///< get, increment, decrement, erase with `marks_stale` (T)
  /// get, append, prepend, increment, decrement: if there is no item, make one that expires at
  /// `made_expires` (N). get makes an empty one, which its maker has won.
  bool makes = false;
  store_second made_expires = 0;
  /// get: who finds a stale item, or one that expires before `renew_before` (R), has `won`, but
  /// only the first.
  bool may_win = false;
  store_second renew_before = 0;
  /// put with a CAS unique that is older than the item's: store, and mark the item stale. erase:
  /// keep the item, mark it stale, and give it a new CAS unique (I).
  bool marks_stale = false;
  bool wants_value = true;  ///< get, increment, decrement
  bool is_use = true;       ///< get: counts for keeping the item, and as fetched
  bool binary_key = false;  ///< kept with a new item, for who shows its key (b)
};

struct store_request : request_terms {
  std::string_view key;    ///< 1 to 250 bytes of any kind
  std::string_view value;  ///< put, add, replace, append, prepend
};

/// What a store knows of an item.
struct item_info {
  std::uint32_t flags = 0;
  store_second expires = 0;
  store_second accessed = 0;  ///< to within a minute
  std::uint64_t cas = 0;
  std::uint32_t value_bytes = 0;
  bool is_stale = false;     ///< (X)
  bool is_won = false;       ///< somebody is to renew it (Z)
  bool was_fetched = false;  ///< a get has found it since it was stored (h)
  bool binary_key = false;
};

/// Of an item as it was before the request, if that changes expiry, marks or uses; else as it is
/// now. `cas` is always that of the item now; 0 if there is none.
struct store_reply : item_info {
  store_status status = store_status::absent;
  bool won = false;   ///< this caller is to renew the item (W)
  bool made = false;  ///< there was none, and it was made because of `makes`
  std::string value;

  store_reply() = default;
  explicit store_reply(store_status how) : status(how) {}

  template <class Archive>
  void serialize(Archive& archive) {
    archive(static_cast<item_info&>(*this), status, won, made, value);
  }
};

inline constexpr std::size_t max_store_key_bytes = 250;

}  // namespace far
