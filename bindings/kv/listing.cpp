#include "bindings/kv/listing.hpp"

#include "bindings/kv/output.hpp"
#include "bindings/kv/uri.hpp"

namespace far::kv {
namespace {

constexpr std::size_t items_of_page = 500;

}  // namespace

listed_page list_page(const store_view& items, std::uint64_t cursor) {
  listed_page page;
  page.next = cursor;
  page.is_last = false;
  while (page.items.size() < items_of_page && !page.is_last) {
    const auto next = items.visit_some(page.next, [&](std::string_view key, const item_info& info) {
      page.items.push_back({std::string(key), info});
    });
    if (!next) break;
    page.next = *next;
    page.is_last = page.next == 0;
  }
  return page;
}

void listing::take(const listed_page& page, std::int64_t start_time, std::size_t max_item_bytes,
                   bool uses_cas, output& out) {
  const auto time_of = [&](store_second second) { return start_time + std::int64_t{second}; };
  for (const auto& [key, item] : page.items) {
    const std::size_t bytes = memcached_item_bytes(key.size(), item.value_bytes, item.flags);
    const unsigned number = memcached_slab_class(bytes, max_item_bytes);
    if (!classes_[number]) continue;
    if (form_ == form::cachedump) {
      if (item.binary_key) continue;
      if (limit_ != 0 && shown_ == limit_) break;
      out << "ITEM " << key << " [" << item.value_bytes << " b; ";
      out << (item.expires == 0 ? 0 : time_of(item.expires)) << " s]\r\n";
    } else {
      out << "key=";
      write_uri(key, out);
      out << " exp=" << (item.expires == 0 ? -1 : time_of(item.expires));
      out << " la=" << time_of(item.accessed) << " cas=" << (uses_cas ? item.cas : 0);
      out << " fetch=" << (item.was_fetched ? "yes" : "no") << " cls=" << number;
      out << " size=" << bytes << '\n';
    }
    ++shown_;
  }
  cursor_ = page.next;
  if (page.is_last) {
    ++rank_;
    cursor_ = 0;
  }
}

}  // namespace far::kv
