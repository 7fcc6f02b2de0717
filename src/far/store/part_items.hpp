#pragma once
// The operations of a part, under its lock.

#include <optional>
#include <string_view>

#include "far/store/part_index.hpp"
#include "far/store/part_log.hpp"
#include "far/store/part_memory.hpp"
#include "far/store/request.hpp"

namespace far::stores {

class part_items {
 public:
  /// `max_bytes`: of an item, header included.
  part_items(const part_memory& part, std::uint64_t max_bytes, store_second now) noexcept
      : part_(part), index_(part), log_(part, now), max_bytes_(max_bytes), now_(now) {}

  /// Carries out the request. Errors: std::bad_alloc.
  [[nodiscard]] store_reply execute(const store_request& asked);
  /// Afterwards: nothing was done, because the item would change and others may have copies.
  [[nodiscard]] bool must_recall() const noexcept { return must_recall_; }
  /// Before: nobody has a copy.
  void recalled() noexcept { recalled_ = true; }
  /// Reads an item of up to `max_value` bytes, and marks that others may have copies of it. Returns
  /// nothing if there is no such item.
  [[nodiscard]] std::optional<store_reply> share(std::string_view key, std::uint64_t max_value);

 private:
  /// An item that a key has.
  struct found_item {
    std::uint64_t* word = nullptr;  ///< its entry; null: there is none
    std::uint64_t place = 0;
    item_header header;

    explicit operator bool() const noexcept { return word != nullptr; }
  };
  /// What a new item consists of.
  struct new_item {
    std::string_view value, more = {};  ///< the value is both, one after the other
    item_header header;                 ///< but for cas and the sizes
    std::uint64_t spaces = 0;           ///< behind the value
    bool keeps_fetched = false;         ///< it is the same item, changed a little
  };

  /// The key's item, if it has not expired.
  [[nodiscard]] found_item find();
  /// The same, to change it or to put one in its place. Look at must_recall_ then.
  [[nodiscard]] found_item find_to_change();
  [[nodiscard]] std::string_view value_of(const found_item& item) const noexcept;
  /// Keeps it for the key, in the place of an older item.
  [[nodiscard]] store_reply keep(const new_item& item);
  void write(std::uint64_t place, const item_header& header, const new_item& item) const noexcept;
  /// Changes the header of an item where it is.
  void change(const found_item& item) const noexcept;
  void remove();

  [[nodiscard]] store_reply get();
  [[nodiscard]] store_reply put();
  [[nodiscard]] store_reply extend();
  [[nodiscard]] store_reply count();
  [[nodiscard]] store_reply erase();
  [[nodiscard]] store_reply describe(const found_item& item) const;

  part_memory part_;
  part_index index_;
  part_log log_;
  std::uint64_t max_bytes_;
  store_second now_;
  const store_request* asked_ = nullptr;
  key_hash hash_{std::string_view()};
  bool recalled_ = false;
  bool must_recall_ = false;
};

}  // namespace far::stores
