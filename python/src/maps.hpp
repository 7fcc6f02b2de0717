#pragma once
// Hash maps: one class of the module for each pair of key and value types. Batches are arrays of
// keys and values, or lists where a key or value is text.

#include <nanobind/ndarray.h>
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

#include "buffers.hpp"
#include "jobs.hpp"
#include "map_phases.hpp"
#include "map_types.hpp"
#include "slots.hpp"
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
  using in = buffer_of<const T>;
  static std::span<const T> list(const in& given) { return {given.data(), given.size()}; }
  static nb::object give(std::vector<T> values) {
    auto* const kept = new std::vector<T>(std::move(values));
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

/// Where a batch of values goes; None for bytes.
template <class T>
using results_of = std::conditional_t<std::is_same_v<T, std::string>, nb::handle, buffer_of<T>>;

inline std::string value_of(const nb::bytes& given) { return {given.c_str(), given.size()}; }
template <class T>
T value_of(T given) {
  return given;
}

template <class K, class V>
class py_map {
  using held = held_map<K, V>;

 public:
  /// capacity 0: a map that grows.
  py_map(const py_world& world, std::uint64_t capacity, const std::string& key,
         const std::string& value)
      : in_(world.in), key_(key), value_(value) {
    it_ = in_->make<held>([&](const far::world& view) {
      if constexpr (std::is_same_v<K, std::string> || std::is_same_v<V, std::string>) {
        if (capacity != 0) {
          throw bad_argument("a map of text or bytes grows, and has no capacity");
        }
        return std::make_unique<held>(view, false);
      } else {
        return capacity != 0 ? std::make_unique<held>(view, true, capacity)
                             : std::make_unique<held>(view, false);
      }
    });
  }

  // -- one key. Objects that the types do not take go through Python, to numbers that they do.

  static PyObject* get_item(PyObject* self, PyObject* key) {
    return translated<PyObject*>(nullptr, [&]() -> PyObject* {
      py_map& map = *nb::inst_ptr<py_map>(self);
      K wanted;
      if (!map.key_.take(key, wanted)) wanted = map.converted_key(self, key);
      const std::optional<V> found = map.find(wanted);
      if (found) return map.value_.give(*found);
      PyErr_SetObject(PyExc_KeyError, key);
      return nullptr;
    });
  }
  static int set_item(PyObject* self, PyObject* key, PyObject* value) {
    return translated(-1, [&] {
      py_map& map = *nb::inst_ptr<py_map>(self);
      K wanted;
      if (!map.key_.take(key, wanted)) wanted = map.converted_key(self, key);
      if (value == nullptr) {
        if (map.changed([&](const auto& it) { return it.erase(wanted); })) return 0;
        PyErr_SetObject(PyExc_KeyError, key);
        return -1;
      }
      const V given = map.value_in(self, value);
      map.changed([&](const auto& it) { return it.insert_or_assign(wanted, given); });
      return 0;
    });
  }
  static int has_item(PyObject* self, PyObject* key) {
    return translated(-1, [&] {
      py_map& map = *nb::inst_ptr<py_map>(self);
      K wanted;
      if (!map.key_.take(key, wanted)) wanted = map.converted_key(self, key);
      return map.find(wanted).has_value() ? 1 : 0;
    });
  }
  nb::object get(nb::handle self, const nb::handle& key, const nb::object& otherwise) {
    K wanted;
    if (!key_.take(key.ptr(), wanted)) wanted = converted_key(self.ptr(), key.ptr());
    const std::optional<V> found = find(wanted);
    return found ? nb::steal(value_.give(*found)) : otherwise;
  }
  bool insert(nb::handle self, const nb::handle& key, const nb::handle& value) {
    K wanted;
    if (!key_.take(key.ptr(), wanted)) wanted = converted_key(self.ptr(), key.ptr());
    const V given = value_in(self.ptr(), value.ptr());
    return changed([&](const auto& it) { return it.insert(wanted, given); });
  }

  // -- many keys

  /// Writes the values to `values`, those of keys that are not there as `missing`, and which are
  /// there to `there`. Bytes are returned instead.
  nb::object find_many(const typename batch<K>::in& keys, const argument_of<V>& missing,
                       const results_of<V>& values, const buffer_of<std::uint8_t>& there) {
    const auto list = batch<K>::list(keys);
    const V instead = value_of(missing);
    std::vector<V> bytes;
    looked_up([&](const auto& map) {
      const auto found = map.find_many(std::span<const K>(list));
      for (std::size_t i = 0; i < found.size(); ++i) {
        there.data()[i] = found[i] ? 1 : 0;
        if constexpr (std::is_same_v<V, std::string>) {
          bytes.push_back(found[i] ? *found[i] : instead);
        } else {
          values.data()[i] = found[i] ? *found[i] : instead;
        }
      }
    });
    if constexpr (std::is_same_v<V, std::string>) return batch<V>::give(bytes);
    return nb::none();
  }
  void assign_many(const typename batch<K>::in& keys, const typename batch<V>::in& values) {
    const auto list = batch<K>::list(keys);
    const auto with = batch<V>::list(values);
    changed([&](const auto& map) {
      map.insert_or_assign_many(std::span<const K>(list), std::span<const V>(with));
    });
  }
  void erase_many(const typename batch<K>::in& keys) {
    const auto list = batch<K>::list(keys);
    changed([&](const auto& map) { map.erase_many(std::span<const K>(list)); });
  }
  /// A key that is not there gets the value itself.
  void update_many(const typename batch<K>::in& keys, const typename batch<V>::in& values,
                   const std::string& name) {
    const auto list = batch<K>::list(keys);
    const auto with = batch<V>::list(values);
    const change_value change{{combining_named(name)}, value_.is_signed()};
    changed([&](const auto& map) {
      map.update_or_insert_many(std::span<const K>(list), std::span<const V>(with), change);
    });
  }
  void update_all(const typename batch<K>::in& keys, const argument_of<V>& value,
                  const std::string& name) {
    const auto list = batch<K>::list(keys);
    const V with = value_of(value);
    const combining how = combining_named(name);
    changed([&](const auto& map) {
      if constexpr (std::is_same_v<V, std::string>) {
        const std::vector<V> each(list.size(), with);
        map.update_or_insert_many(std::span<const K>(list), each, change_value{{how}, false});
      } else if (how == combining::sum) {
        map.add_or_insert_all(std::span<const K>(list), with);
      } else {
        map.update_or_insert_all(std::span<const K>(list), with,
                                 change_value{{how}, value_.is_signed()});
      }
    });
  }

  // -- all keys

  std::uint64_t size() {
    return in_->on_main([&](const far::world&) { return it()->it.size(); });
  }
  void clear() {
    in_->on_main([&](const far::world&) { it()->it.clear(); });
  }
  std::uint64_t local_size() {
    return in_->detached([&](const far::world& view) { return it()->it.on(view).local_size(); });
  }
  std::pair<nb::object, nb::object> local_items() {
    std::vector<K> keys;
    std::vector<V> values;
    in_->detached([&](const far::world& view) {
      it()->it.on(view).for_each_local([&](const K& key, const V& value) {
        keys.push_back(key);
        values.push_back(value);
      });
    });
    return {batch<K>::give(std::move(keys)), batch<V>::give(std::move(values))};
  }
  std::string explain() {
    return in_->detached([&](const far::world& view) { return it()->it.on(view).explain(); });
  }
  void begin_phase(bool reads) {
    in_->on_main([&](const far::world&) { it()->begin(reads); });
  }
  void end_phase(bool has_failed) {
    in_->on_main([&](const far::world&) { it()->end(has_failed); });
  }
  void free() { it_.reset(); }

  static void define(nb::module_& module, const char* name) {
    static PyType_Slot slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(&get_item)},
                                  {Py_mp_ass_subscript, reinterpret_cast<void*>(&set_item)},
                                  {Py_sq_contains, reinterpret_cast<void*>(&has_item)},
                                  {0, nullptr}};
    nb::class_<py_map>(module, name, nb::type_slots(slots))
        .def(nb::init<const py_world&, std::uint64_t, const std::string&, const std::string&>())
        .def(
            "get",
            [](nb::handle self, const nb::handle& key, const nb::object& otherwise) {
              return nb::inst_ptr<py_map>(self)->get(self, key, otherwise);
            },
            nb::arg("key"), nb::arg("default") = nb::none())
        .def(
            "insert",
            [](nb::handle self, const nb::handle& key, const nb::handle& value) {
              return nb::inst_ptr<py_map>(self)->insert(self, key, value);
            },
            nb::arg("key"), nb::arg("value"))
        .def("_find_many", &py_map::find_many, nb::arg(), nb::arg(), nb::arg().none(), nb::arg())
        .def("_assign_many", &py_map::assign_many)
        .def("_erase_many", &py_map::erase_many)
        .def("_update_many", &py_map::update_many)
        .def("_update_all", &py_map::update_all)
        .def("_size", &py_map::size)
        .def("_clear", &py_map::clear)
        .def("_local_size", &py_map::local_size)
        .def("_local_items", &py_map::local_items)
        .def("_explain", &py_map::explain)
        .def("_begin_phase", &py_map::begin_phase)
        .def("_end_phase", &py_map::end_phase)
        .def("_free", &py_map::free);
  }

 private:
  K converted_key(PyObject* self, PyObject* key) const {
    return value_of(nb::cast<argument_of<K>>(nb::handle(self).attr("_key_in")(nb::handle(key))));
  }
  V value_in(PyObject* self, PyObject* value) const {
    V given;
    if (value_.take(value, given)) return given;
    return value_of(
        nb::cast<argument_of<V>>(nb::handle(self).attr("_value_in")(nb::handle(value))));
  }

  std::optional<V> find(const K& key) {
    const auto look = [&](const auto& map) { return map.find(key); };
    in_->check();
    if (it_ && !it_->is_in_phase() && it_->is_near(key)) {
      return in_->at_once([&](const far::world& view) { return look(it_->it.on(view)); });
    }
    return looked_up(look);
  }

  held* it() const {
    if (!it_) throw job_ended("the map was freed");
    return it_.get();
  }
  /// Calls f(a view of the map for looking up keys, or for changes) outside of the interpreter.
  template <class F>
  auto looked_up(F f) {
    return with_map([&](held& map, const far::world& view) { return map.look_up(view, f); });
  }
  template <class F>
  auto changed(F f) {
    return with_map([&](held& map, const far::world& view) { return map.change(view, f); });
  }
  template <class F>
  auto with_map(F f) {
    in_->check();
    const std::shared_ptr<held> kept = it_;  // whatever other threads drop meanwhile
    if (!kept) throw job_ended("the map was freed");
    if (kept->is_in_phase()) {
      return in_->on_main([&](const far::world& view) { return f(*kept, view); });
    }
    return in_->detached([&](const far::world& view) { return f(*kept, view); });
  }

  std::shared_ptr<session> in_;
  std::shared_ptr<held> it_;
  map_type key_, value_;
};

}  // namespace far::python
