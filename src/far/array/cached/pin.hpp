#pragma once
// Pins: scoped objects that keep a chunk's right at this rank.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <type_traits>
#include <utility>

#include "far/array/cached/element_access.hpp"
#include "far/array/cached/thread_access.hpp"
#include "far/array/operators.hpp"

namespace far {
namespace cached {

/// A chunk and its elements' global indices.
struct chunk_range {
  std::uint64_t chunk;
  std::uint64_t first;
  std::uint64_t count;
};

/// What all pins do. Movable.
template <class T>
class pin_guard {
 public:
  pin_guard(const thread_access& access, const chunk_range& range, right what, const operation* op)
      : access_(&access),
        range_(range),
        pinned_(access.pin<T>(range.chunk, range.first, what, op)) {}
  pin_guard(pin_guard&& other) noexcept
      : access_(std::exchange(other.access_, nullptr)),
        range_(other.range_),
        pinned_(other.pinned_) {}
  pin_guard& operator=(pin_guard&&) = delete;
  ~pin_guard() {
    if (access_ == nullptr) return;
    try {
      access_->unpin(range_.chunk, pinned_);
    } catch (const std::exception&) {
      // The job has failed; the program's next call reports it.
    }
  }

  /// The global index of the chunk's first element, and the number of elements.
  [[nodiscard]] std::uint64_t first() const noexcept { return range_.first; }
  [[nodiscard]] std::uint64_t size() const noexcept { return range_.count; }

 protected:
  [[nodiscard]] const thread_access::pinned& pinned() const noexcept { return pinned_; }

 private:
  const thread_access* access_;
  chunk_range range_;
  thread_access::pinned pinned_;
};

/// Element is T or const T; the former may write.
template <class Element>
class chunk_pin : public pin_guard<std::remove_const_t<Element>> {
  using base = pin_guard<std::remove_const_t<Element>>;

 public:
  chunk_pin(const thread_access& access, const chunk_range& range)
      : base(access, range, std::is_const_v<Element> ? right::read : right::write, nullptr) {}

  /// The chunk's elements, for plain access while the pin lives. Threads of this rank that access
  /// one element at the same time need their own synchronization.
  [[nodiscard]] std::span<Element> elements() const noexcept {
    return {reinterpret_cast<Element*>(this->pinned().data),
            static_cast<std::size_t>(this->size())};
  }
  /// The element with a global index.
  [[nodiscard]] Element& operator[](std::uint64_t i) const noexcept {
    return elements()[static_cast<std::size_t>(i - this->first())];
  }
};

}  // namespace cached

template <class T>
using read_pin = cached::chunk_pin<const T>;
template <class T>
using write_pin = cached::chunk_pin<T>;

/// For one operator. It gives no values: several ranks may hold such a pin, and none has them all.
template <class T, class Op>
class operate_pin : public cached::pin_guard<T> {
 public:
  operate_pin(const cached::thread_access& access, const cached::chunk_range& range)
      : cached::pin_guard<T>(access, range, cached::right::operate, &cached::operation_of<T, Op>) {}

  /// Replaces the element with global index i by op(element, operand), atomically.
  void apply(std::uint64_t i, const T& operand) const noexcept {
    T* const to = reinterpret_cast<T*>(this->pinned().data) + (i - this->first());
    if constexpr (cached::is_word<T>) {
      if (this->pinned().what == cached::right::write) return cached::combine<Op>(to, operand);
    }
    *to = cached::combined<Op>(*to, operand);
  }
};

}  // namespace far
