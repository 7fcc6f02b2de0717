#include "bindings/kv/prefix_counts.hpp"

namespace far::kv {

void add_to(prefix_count& sum, const prefix_count& more) noexcept {
  sum.gets += more.gets;
  sum.hits += more.hits;
  sum.sets += more.sets;
  sum.erases += more.erases;
}

void prefix_counts::add(std::string_view key, const prefix_count& more) {
  const std::size_t end = key.find(delimiter_);
  if (end == std::string_view::npos) return;
  const std::string_view prefix = key.substr(0, end);
  const std::scoped_lock lock(mutex_);
  auto at = table_.find(prefix);
  if (at == table_.end()) at = table_.emplace(prefix, prefix_count{}).first;
  add_to(at->second, more);
}

prefix_table prefix_counts::table() {
  const std::scoped_lock lock(mutex_);
  return table_;
}

void prefix_counts::clear() {
  const std::scoped_lock lock(mutex_);
  table_.clear();
}

void write_prefixes(const prefix_table& table, output& out) {
  for (const auto& [prefix, counts] : table) {
    out << "PREFIX " << prefix << " get " << counts.gets << " hit " << counts.hits << " set "
        << counts.sets << " del " << counts.erases << "\r\n";
  }
}

}  // namespace far::kv
