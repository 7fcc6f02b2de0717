#pragma once

#include <utility>

namespace far::containers {

/// A range over the items of a part, which it holds locked while it lives. Not thread-safe.
template <class Part>
class local_items {
 public:
  explicit local_items(Part& part) : lock_(part), table_(&part.table) {}
  local_items(const local_items&) = delete;
  local_items& operator=(const local_items&) = delete;

  [[nodiscard]] auto begin() const noexcept { return table_->begin(); }
  [[nodiscard]] auto end() const noexcept { return table_->end(); }
  [[nodiscard]] auto size() const noexcept { return table_->size(); }

 private:
  typename Part::lock lock_;
  typename Part::table_type* table_;
};

}  // namespace far::containers
