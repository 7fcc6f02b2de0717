#pragma once
// Descriptions of objects' types: all that the protocol knows of what is in an object.
//
// A program declares each of its classes once:
//
//     struct node {
//       std::uint64_t key;
//       far::ref<node> left, right;
//     };
//     template <>
//     struct far::object_type<node>
//         : far::object_fields<node, &node::key, &node::left, &node::right> {};
//
// Numbers, enumerations and references need no declaration.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "far/base/type_name.hpp"
#include "far/object/reference.hpp"

namespace far {

namespace objects {

/// A field that is compared and copied as one word, so nobody ever sees a half of it.
struct cell {
  std::uint32_t offset = 0;
  std::uint8_t width = 0;  ///< 1, 2, 4 or 8; the offset is a multiple of it
  bool is_reference = false;
};

/// What an object, or an element of an array, consists of. Bytes in no cell are padding: ranks do
/// not tell each other when they change.
class type_descriptor {
 public:
  /// Errors: bad_argument for cells that overlap, are not aligned, or lie outside; for a size of 0
  /// or more than a region holds; for an alignment above 16.
  type_descriptor(std::string_view name, std::size_t size, std::size_t alignment,
                  std::vector<cell> cells);

  /// As std::type_info::name returns it: different types have different ones.
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  /// For messages.
  [[nodiscard]] std::string readable_name() const { return base::readable_type(name_); }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<cell>& cells() const noexcept { return cells_; }
  /// Whether all cells of an object are zero.
  [[nodiscard]] bool is_zero(const std::byte* object) const noexcept;
  /// A hash of all this: what ranks call the type among each other.
  [[nodiscard]] std::uint32_t id() const noexcept { return id_; }

 private:
  std::string_view name_;
  std::uint32_t size_;
  std::uint32_t id_;
  std::vector<cell> cells_;
};

template <class M>
concept word_field = (std::is_arithmetic_v<M> || std::is_enum_v<M> || is_ref<M>)&&sizeof(M) <= 8;

}  // namespace objects

template <class T>
struct object_type;

namespace objects {

template <class M>
struct array_traits {
  static constexpr bool is_array = false;
};
template <class E, std::size_t N>
struct array_traits<std::array<E, N>> {
  static constexpr bool is_array = true;
  using element = E;
  static constexpr std::size_t length = N;
};
template <class E, std::size_t N>
struct array_traits<E[N]> {
  static constexpr bool is_array = true;
  using element = E;
  static constexpr std::size_t length = N;
};

/// Appends the cells of a field of type M at an offset.
template <class M>
void add_cells(std::vector<cell>& to, std::size_t offset) {
  if constexpr (word_field<M>) {
    to.push_back({static_cast<std::uint32_t>(offset), sizeof(M), is_ref<M>});
  } else if constexpr (array_traits<M>::is_array) {
    using element = typename array_traits<M>::element;
    for (std::size_t i = 0; i < array_traits<M>::length; ++i) {
      add_cells<element>(to, offset + i * sizeof(element));
    }
  } else {
    object_type<M>::add_to(to, offset);
  }
}

/// The offset of a member.
template <class T, class M>
[[nodiscard]] std::size_t offset_of(M T::*member) noexcept {
  alignas(T) static std::byte room[sizeof(T)];
  const auto* const object = reinterpret_cast<const T*>(room);
  return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(object->*member)) - room);
}

}  // namespace objects

/// The declaration of a class: pointers to all members that ranks share. Members may be numbers,
/// enumerations, references, std::arrays, and classes that are declared themselves.
template <class T, auto... Members>
struct object_fields {
  static_assert(std::is_trivially_copyable_v<T>, "shared objects are trivially copyable");
  static void add_to(std::vector<objects::cell>& to, std::size_t offset) {
    (add_member(to, offset, Members), ...);
  }

 private:
  template <class M>
  static void add_member(std::vector<objects::cell>& to, std::size_t offset, M T::*member) {
    objects::add_cells<M>(to, offset + objects::offset_of(member));
  }
};

/// Types whose objects an object_space can hold.
template <class T>
concept shared_object =
    std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_const_v<T> &&
    (objects::word_field<T> || objects::array_traits<T>::is_array ||
     requires(std::vector<objects::cell>& to) { object_type<T>::add_to(to, std::size_t{}); });

namespace objects {

/// T's descriptor, which lives as long as the process.
template <shared_object T>
[[nodiscard]] const type_descriptor& descriptor_of() {
  static const type_descriptor made = [] {
    std::vector<cell> cells;
    add_cells<T>(cells, 0);
    return type_descriptor(typeid(T).name(), sizeof(T), alignof(T), std::move(cells));
  }();
  return made;
}

/// Whether all fields of a T() are zero, as new memory is. Most members without initializers and
/// all null references are, so most objects need not be written when they are made.
template <shared_object T>
[[nodiscard]] bool begins_zero() {
  if constexpr (std::is_trivially_default_constructible_v<T>) {
    return true;
  } else {
    static const bool zero = [] {
      const T value = T();
      return descriptor_of<T>().is_zero(reinterpret_cast<const std::byte*>(&value));
    }();
    return zero;
  }
}

}  // namespace objects
}  // namespace far
