#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "far/base/language.hpp"

namespace far::base {

template <class Signature>
class unique_function;

/// An owned, move-only callable. Callables of up to 48 bytes are stored inside it, larger ones on
/// the heap.
template <class Result, class... Args>
class unique_function<Result(Args...)> {
  static constexpr std::size_t inline_bytes = 48;

  struct operations {
    Result (*call)(void*, Args...);
    void (*move)(void* from, void* to) noexcept;  // also destroys `from`; null: copy the bytes
    void (*destroy)(void*) noexcept;              // null: no-op
  };

  template <class Callable>
  static constexpr bool fits =
      sizeof(Callable) <= inline_bytes && alignof(Callable) <= alignof(std::max_align_t) &&
      std::is_nothrow_move_constructible_v<Callable>;

  template <class Callable>
  static constexpr operations inline_operations = {
      [](void* self, Args... args) -> Result {
        return (*static_cast<Callable*>(self))(std::forward<Args>(args)...);
      },
      std::is_trivially_copyable_v<Callable> ? nullptr
                                             : +[](void* from, void* to) noexcept {
                                                 auto* source = static_cast<Callable*>(from);
                                                 ::new (to) Callable(std::move(*source));
                                                 source->~Callable();
                                               },
      std::is_trivially_copyable_v<Callable>
          ? nullptr
          : +[](void* self) noexcept { static_cast<Callable*>(self)->~Callable(); }};

  template <class Callable>
  static constexpr operations heap_operations = {
      [](void* self, Args... args) -> Result {
        return (**static_cast<Callable**>(self))(std::forward<Args>(args)...);
      },
      nullptr, [](void* self) noexcept { delete *static_cast<Callable**>(self); }};

 public:
  unique_function() noexcept = default;

  template <class F, class Callable = std::remove_cvref_t<F>>
    requires(!std::is_same_v<Callable, unique_function> &&
             std::is_invocable_r_v<Result, Callable&, Args...>)
  unique_function(F&& callable) {  // NOLINT: implicit, as std::function's
    if constexpr (fits<Callable>) {
      ::new (storage_) Callable(std::forward<F>(callable));
      operations_ = &inline_operations<Callable>;
    } else {
      ::new (storage_) Callable*(new Callable(std::forward<F>(callable)));
      operations_ = &heap_operations<Callable>;
    }
  }

  unique_function(unique_function&& other) noexcept { take(other); }
  unique_function& operator=(unique_function&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~unique_function() { reset(); }

  explicit operator bool() const noexcept { return operations_ != nullptr; }
  Result operator()(Args... args) {
    return operations_->call(storage_, std::forward<Args>(args)...);
  }

 private:
  void take(unique_function& other) noexcept {
    operations_ = std::exchange(other.operations_, nullptr);
    if (operations_ == nullptr) return;
    if (operations_->move != nullptr) {
      operations_->move(other.storage_, storage_);
    } else {
      std::memcpy(storage_, other.storage_, inline_bytes);
    }
  }
  void reset() noexcept {
    const operations* const old = std::exchange(operations_, nullptr);
    if (old != nullptr && old->destroy != nullptr) old->destroy(storage_);
  }

  const operations* operations_ = nullptr;
  alignas(std::max_align_t) std::byte storage_[inline_bytes];
};

}  // namespace far::base
