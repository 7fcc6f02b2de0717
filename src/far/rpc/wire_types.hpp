#pragma once
// Which types are serializable, and by which method. The methods are in serialize.hpp.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "far/base/language.hpp"

namespace far::wire {

template <class T, template <class...> class Template>
inline constexpr bool is_instance = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is_instance<Template<Args...>, Template> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t Size>
inline constexpr bool is_array<std::array<T, Size>> = true;

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t Extent>
inline constexpr bool is_span<std::span<T, Extent>> = true;

/// Views are written as their contents, and read as strings and vectors.
template <class T>
inline constexpr bool is_view = is_span<T> || is_instance<T, std::basic_string_view>;

/// Types that copy like values but only point to them.
template <class T>
inline constexpr bool points_elsewhere =
    std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T> ||
    is_view<T> || is_instance<T, std::reference_wrapper>;

/// Stands for any archive when a class is checked for `serialize`.
struct any_archive {
  template <class... Ts>
  void operator()(Ts&...) {}
};

template <class T>
concept self_describing = requires(T& value, any_archive& archive) { value.serialize(archive); };

template <class T>
concept container_of_keys = requires(T& value) {
  typename T::key_type;
  typename T::value_type;
  value.clear();
  value.begin();
  value.end();
};

template <class T>
struct is_flat : std::bool_constant<std::is_trivially_copyable_v<T> && !points_elsewhere<T> &&
                                    !std::is_same_v<T, bool> && !self_describing<T> &&
                                    !is_instance<T, std::optional> && !is_instance<T, std::tuple>> {
};
template <class A, class B>
struct is_flat<std::pair<A, B>> : std::conjunction<is_flat<A>, is_flat<B>> {};
template <class T, std::size_t Size>
struct is_flat<std::array<T, Size>> : is_flat<T> {};

/// Types that are copied as bytes, runs of them at once. Not bool: its bytes are checked one by
/// one, because any value but 0 and 1 is undefined behaviour.
template <class T>
concept flat = is_flat<T>::value;

/// The number of bytes of every T, or 0 if it depends on the value.
template <class T>
[[nodiscard]] constexpr std::size_t fixed_bytes() {
  if constexpr (std::is_same_v<T, bool>) {
    return 1;
  } else if constexpr (flat<T>) {
    return sizeof(T);
  } else if constexpr (is_instance<T, std::pair> || is_instance<T, std::tuple>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      const bool all = ((fixed_bytes<std::tuple_element_t<I, T>>() != 0) && ...);
      return all ? (fixed_bytes<std::tuple_element_t<I, T>>() + ... + 0) : 0;
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    return 0;
  }
}

}  // namespace far::wire
