#pragma once
// Hash maps: one class of the module for each pair of key and value types. Batches are arrays of
// keys and values, or lists where a key or value is text.

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "jobs.hpp"
#include "types.hpp"

namespace far::python {

/// A change of a value by another. Bits of integers travel as u64.
struct change_value {
  combine how;
  bool is_signed = false;

  void operator()(double& value, double with) const { value = how(value, with); }
  void operator()(std::uint64_t& value, std::uint64_t with) const {
    if (is_signed) {
      value = static_cast<std::uint64_t>(
          how(static_cast<std::int64_t>(value), static_cast<std::int64_t>(with)));
    } else {
      value = how(value, with);
    }
  }
  void operator()(std::string& value, const std::string& with) const { value += with; }
};

/// How batches of T come and go.
template <class T>
struct batch {
  using in = bytes_of<const T>;
  static std::span<const T> list(const in& given) { return {given.data(), given.size()}; }
  static nb::object give(const std::vector<T>& values) {
    auto* const kept = new std::vector<T>(values);
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
  }
};
/// Bytes: what is text to Python is encoded there.
template <>
struct batch<std::string> {
  using in = std::vector<nb::bytes>;
  static std::vector<std::string> list(const in& given) {
    std::vector<std::string> result;
    result.reserve(given.size());
    for (const nb::bytes& one : given) result.emplace_back(one.c_str(), one.size());
    return result;
  }
  static nb::object give(const std::vector<std::string>& values) {
    nb::list result;
    for (const std::string& one : values) result.append(nb::bytes(one.data(), one.size()));
    return result;
  }
};

template <class T>
using argument_of = std::conditional_t<std::is_same_v<T, std::string>, nb::bytes, T>;

inline std::string value_of(const nb::bytes& given) { return {given.c_str(), given.size()}; }
template <class T>
T value_of(T given) {
  return given;
}
inline nb::object given_back(const std::string& value) {
  return nb::bytes(value.data(), value.size());
}
template <class T>
nb::object given_back(T value) {
  return nb::cast(value);
}

template <class K, class V>
struct held_map final : structure {
  using map = hash_map<K, V>;
  template <class... Args>
  explicit held_map(const far::world& world, Args... args) : it(world, args...) {}
  map it;
};

template <class K, class V>
class py_map {
  using held = held_map<K, V>;

 public:
  /// capacity 0: a map that grows.
  py_map(const py_world& world, std::uint64_t capacity) : in_(world.in) {
    it_ = in_->make<held>([&](const far::world& view) {
      if constexpr (std::is_same_v<K, std::string> || std::is_same_v<V, std::string>) {
        if (capacity != 0) {
          throw bad_argument("a map of text or bytes grows, and has no capacity");
        }
        return std::make_unique<held>(view);
      } else {
        return capacity != 0 ? std::make_unique<held>(view, capacity)
                             : std::make_unique<held>(view);
      }
    });
  }

  nb::object find(const argument_of<K>& key) {
    const K wanted = value_of(key);
    const std::optional<V> found = with_map([&](const auto& map) { return map.find(wanted); });
    return found ? given_back(*found) : nb::none();
  }
  bool contains(const argument_of<K>& key) {
    const K wanted = value_of(key);
    return with_map([&](const auto& map) { return map.contains(wanted); });
  }
  void assign(const argument_of<K>& key, const argument_of<V>& value) {
    const K wanted = value_of(key);
    const V given = value_of(value);
    with_map([&](const auto& map) { map.insert_or_assign(wanted, given); });
  }
  bool insert(const argument_of<K>& key, const argument_of<V>& value) {
    const K wanted = value_of(key);
    const V given = value_of(value);
    return with_map([&](const auto& map) { return map.insert(wanted, given); });
  }
  bool erase(const argument_of<K>& key) {
    const K wanted = value_of(key);
    return with_map([&](const auto& map) { return map.erase(wanted); });
  }

  /// Returns the values, those of keys that are not there `missing`, and which are there.
  std::pair<nb::object, nb::object> find_many(const typename batch<K>::in& keys,
                                              const argument_of<V>& missing) {
    const auto list = batch<K>::list(keys);
    const V instead = value_of(missing);
    std::vector<V> values(list.size(), instead);
    std::vector<std::uint8_t> there(list.size());
    with_map([&](const auto& map) {
      const auto found = map.find_many(std::span<const K>(list));
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) continue;
        values[i] = *found[i];
        there[i] = 1;
      }
    });
    return {batch<V>::give(values), batch<std::uint8_t>::give(there)};
  }
  void assign_many(const typename batch<K>::in& keys, const typename batch<V>::in& values) {
    const auto list = batch<K>::list(keys);
    const auto with = batch<V>::list(values);
    with_map([&](const auto& map) {
      map.insert_or_assign_many(std::span<const K>(list), std::span<const V>(with));
    });
  }
  void erase_many(const typename batch<K>::in& keys) {
    const auto list = batch<K>::list(keys);
    with_map([&](const auto& map) { map.erase_many(std::span<const K>(list)); });
  }
  /// A key that is not there gets the value itself.
  void update_many(const typename batch<K>::in& keys, const typename batch<V>::in& values,
                   const std::string& name, bool is_signed) {
    const auto list = batch<K>::list(keys);
    const auto with = batch<V>::list(values);
    const change_value change{{combining_named(name)}, is_signed};
    with_map([&](const auto& map) {
      map.update_or_insert_many(std::span<const K>(list), std::span<const V>(with), change);
    });
  }
  void update_all(const typename batch<K>::in& keys, const argument_of<V>& value,
                  const std::string& name, bool is_signed) {
    const auto list = batch<K>::list(keys);
    const V with = value_of(value);
    const combining how = combining_named(name);
    with_map([&](const auto& map) {
      if constexpr (std::is_same_v<V, std::string>) {
        const std::vector<V> each(list.size(), with);
        map.update_or_insert_many(std::span<const K>(list), each, change_value{{how}, false});
      } else if (how == combining::sum) {
        map.add_or_insert_all(std::span<const K>(list), with);
      } else {
        map.update_or_insert_all(std::span<const K>(list), with, change_value{{how}, is_signed});
      }
    });
  }

  std::uint64_t size() {
    return in_->on_main([&](const far::world&) { return it()->it.size(); });
  }
  void clear() {
    in_->on_main([&](const far::world&) { it()->it.clear(); });
  }
  std::uint64_t local_size() {
    return with_map([&](const auto& map) { return map.local_size(); });
  }
  std::pair<nb::object, nb::object> local_items() {
    std::vector<K> keys;
    std::vector<V> values;
    with_map([&](const auto& map) {
      map.for_each_local([&](const K& key, const V& value) {
        keys.push_back(key);
        values.push_back(value);
      });
    });
    return {batch<K>::give(keys), batch<V>::give(values)};
  }
  void free() { it_.reset(); }

  static void define(nb::module_& module, const char* name) {
    nb::class_<py_map>(module, name)
        .def(nb::init<const py_world&, std::uint64_t>())
        .def("find", &py_map::find)
        .def("contains", &py_map::contains)
        .def("assign", &py_map::assign)
        .def("insert", &py_map::insert)
        .def("erase", &py_map::erase)
        .def("find_many", &py_map::find_many)
        .def("assign_many", &py_map::assign_many)
        .def("erase_many", &py_map::erase_many)
        .def("update_many", &py_map::update_many)
        .def("update_all", &py_map::update_all)
        .def("size", &py_map::size)
        .def("clear", &py_map::clear)
        .def("local_size", &py_map::local_size)
        .def("local_items", &py_map::local_items)
        .def("free", &py_map::free);
  }

 private:
  held* it() const {
    if (!it_) throw job_ended("the map was freed");
    return it_.get();
  }
  /// Calls f(view of the map) outside of the interpreter.
  template <class F>
  auto with_map(F f) {
    in_->check();
    const std::shared_ptr<held> kept = it_;  // whatever other threads drop meanwhile
    if (!kept) throw job_ended("the map was freed");
    return in_->detached([&](const far::world& view) { return f(kept->it.on(view)); });
  }

  std::shared_ptr<session> in_;
  std::shared_ptr<held> it_;
};

}  // namespace far::python
