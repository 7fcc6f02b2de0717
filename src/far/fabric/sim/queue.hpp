#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace far::fabric::sim {

/// A FIFO queue. It keeps its memory, and allocates none before it is used: a job has thousands of
/// queues, most of them empty.
template <class Item>
class queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == items_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return items_.size() - first_; }
  [[nodiscard]] const Item& front() const noexcept { return items_[first_]; }

  [[nodiscard]] Item& back() noexcept { return items_.back(); }
  [[nodiscard]] auto begin() const noexcept {
    return items_.begin() + static_cast<std::ptrdiff_t>(first_);
  }
  [[nodiscard]] auto end() const noexcept { return items_.end(); }

  void push(Item item) {
    if (items_.size() == items_.capacity() && first_ > items_.size() / 2) {
      items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    items_.push_back(std::move(item));
  }
  Item pop() {
    Item item = std::move(items_[first_]);
    if (++first_ == items_.size()) {
      items_.clear();
      first_ = 0;
    }
    return item;
  }

 private:
  std::vector<Item> items_;
  std::size_t first_ = 0;
};

/// A FIFO queue for few items, usually one. The first item is stored in the queue itself, so that
/// it is in the caches if the queue is.
template <class Item>
class short_queue {
 public:
  [[nodiscard]] bool empty() const noexcept { return !has_first_ && others_.empty(); }
  [[nodiscard]] Item& back() noexcept { return others_.empty() ? first_ : others_.back(); }
  template <class Visitor>
  void for_each(Visitor visit) const {
    if (has_first_) visit(first_);
    for (const Item& item : others_) visit(item);
  }

  void push(Item item) {
    if (!empty()) return others_.push(std::move(item));
    first_ = std::move(item);
    has_first_ = true;
  }
  Item pop() { return std::exchange(has_first_, false) ? std::move(first_) : others_.pop(); }

 private:
  Item first_{};
  bool has_first_ = false;
  queue<Item> others_;
};

}  // namespace far::fabric::sim
