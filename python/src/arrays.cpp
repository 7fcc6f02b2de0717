// Arrays. What takes one element is here; slices, lists of indices and masks become calls of the
// functions at the end, made by the Python class that is derived from this one.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <concepts>
#include <span>
#include <string>

#include "array_memory.hpp"
#include "array_scalars.hpp"
#include "bindings.hpp"
#include "buffers.hpp"
#include "indexing.hpp"
#include "jobs.hpp"
#include "slots.hpp"
#include "types.hpp"

namespace far::python {
namespace {

using const_bytes = buffer_of<const std::uint8_t>;
using mutable_bytes = buffer_of<std::uint8_t>;

class py_array {
 public:
  py_array(const py_world& world, std::uint64_t elements, std::uint64_t item_bytes,
           const std::string& code)
      : in_(world.in),
        it_(in_->make<array_memory>([&](const far::world& view) {
          return std::make_unique<array_memory>(view, elements, item_bytes);
        })),
        kind_(scalar_of(code)) {}

  /// Errors: job_ended.
  [[nodiscard]] array_memory& memory() const {
    in_->check();
    if (!it_) [[unlikely]]
      throw job_ended("the array was freed");
    return *it_;
  }
  [[nodiscard]] session& in() const noexcept { return *in_; }
  [[nodiscard]] scalar kind() const noexcept { return kind_; }
  [[nodiscard]] const std::shared_ptr<array_memory>& shared() const noexcept { return it_; }
  void free() { it_.reset(); }

 private:
  std::shared_ptr<session> in_;
  std::shared_ptr<array_memory> it_;
  scalar kind_;
};

// -- one element ----------------------------------------------------------------------------------

PyObject* get_item(PyObject* self, PyObject* key) {
  return translated<PyObject*>(nullptr, [&]() -> PyObject* {
    const py_array& array = *nb::inst_ptr<py_array>(self);
    const array_memory& memory = array.memory();
    if (array.kind() != scalar::other) {
      if (const auto i = index_in(memory.size(), key)) {
        if (const std::byte* const place = memory.place(*i)) return to_python(array.kind(), place);
      }
    }
    return nb::handle(self).attr("_get_items")(nb::handle(key)).release().ptr();
  });
}

int set_item(PyObject* self, PyObject* key, PyObject* value) {
  return translated(-1, [&] {
    const py_array& array = *nb::inst_ptr<py_array>(self);
    const array_memory& memory = array.memory();
    if (array.kind() != scalar::other && value != nullptr) {
      if (const auto i = index_in(memory.size(), key)) {
        std::byte* const place = memory.place(*i);
        if (place != nullptr && from_python(array.kind(), value, place)) return 0;
      }
    }
    if (value == nullptr) {
      PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
      return -1;
    }
    nb::handle(self).attr("_set_items")(nb::handle(key), nb::handle(value));
    return 0;
  });
}

Py_ssize_t length(PyObject* self) {
  return translated<Py_ssize_t>(
      -1, [&] { return static_cast<Py_ssize_t>(nb::inst_ptr<py_array>(self)->memory().size()); });
}

PyType_Slot slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(&get_item)},
                       {Py_mp_ass_subscript, reinterpret_cast<void*>(&set_item)},
                       {Py_mp_length, reinterpret_cast<void*>(&length)},
                       {0, nullptr}};

// -- many elements --------------------------------------------------------------------------------

void read(const py_array& array, std::uint64_t first, const mutable_bytes& to) {
  const array_memory& memory = array.memory();
  array.in().detached([&](const far::world& view) {
    memory.read(view, first, {reinterpret_cast<std::byte*>(to.data()), to.size()});
  });
}

void write(const py_array& array, std::uint64_t first, const const_bytes& from) {
  const array_memory& memory = array.memory();
  array.in().detached([&](const far::world& view) {
    memory.write(view, first, {reinterpret_cast<const std::byte*>(from.data()), from.size()});
  });
}

void read_at(const py_array& array, const index_list& at, const mutable_bytes& to) {
  const array_memory& memory = array.memory();
  std::vector<std::int64_t> room;
  const auto indices = checked(memory.size(), at, room);
  array.in().detached([&](const far::world& view) {
    memory.read_at(view, indices, reinterpret_cast<std::byte*>(to.data()));
  });
}

void write_at(const py_array& array, const index_list& at, const const_bytes& from) {
  const array_memory& memory = array.memory();
  std::vector<std::int64_t> room;
  const auto indices = checked(memory.size(), at, room);
  array.in().detached([&](const far::world& view) {
    memory.write_at(view, indices, reinterpret_cast<const std::byte*>(from.data()));
  });
}

template <class T>
concept word = (std::integral<T> && sizeof(T) >= 4) || std::floating_point<T>;

/// Calls f(T{}) for the types that have atomic operations.
template <class F>
void with_atomic(const std::string& code, F f) {
  with_number(code, "atomic operations", [&](auto number) {
    using T = decltype(number);
    if constexpr (word<T>) {
      f(number);
    } else {
      throw bad_argument(
          fmt::format("atomic operations need elements of 4 or 8 bytes, not of type '{}'", code));
    }
  });
}

template <class T>
T fetched_update(const far::world& view, const array_memory& memory, std::uint64_t i, T operand,
                 combining how) {
  const atomic_ref<T> element(view, ptr<T>(memory.at(i).address()));
  if (how == combining::sum) return element.fetch_add(operand);
  if (how == combining::min) return element.fetch_min(operand);
  if (how == combining::max) return element.fetch_max(operand);
  if constexpr (std::integral<T>) {
    if (how == combining::bit_and) return element.fetch_and(operand);
    if (how == combining::bit_or) return element.fetch_or(operand);
    if (how == combining::bit_xor) return element.fetch_xor(operand);
  }
  throw bad_argument("there is no such atomic operation on this type");
}

/// operands: as many as indices, or one for all.
void update_at(const py_array& array, const index_list& at, const const_bytes& operands,
               const std::string& code, const std::string& name) {
  const array_memory& memory = array.memory();
  std::vector<std::int64_t> room;
  const auto indices = checked(memory.size(), at, room);
  const combining how = combining_named(name);
  check_combining(how, code);
  with_atomic(code, [&](auto number) {
    using T = decltype(number);
    const auto* const each = reinterpret_cast<const T*>(operands.data());
    const bool one = operands.size() == sizeof(T);
    array.in().detached([&](const far::world& view) {
      for (std::size_t k = 0; k < indices.size(); ++k) {
        const auto i = static_cast<std::uint64_t>(indices[k]);
        const T operand = each[one ? 0 : k];
        if (how == combining::sum) {
          atomic_ref<T>(view, ptr<T>(memory.at(i).address())).add(operand);
        } else {
          (void)fetched_update(view, memory, i, operand, how);
        }
      }
    });
  });
}

nb::object fetch_update(const py_array& array, std::uint64_t i, const const_bytes& operand,
                        const std::string& code, const std::string& name) {
  const array_memory& memory = array.memory();
  const combining how = combining_named(name);
  check_combining(how, code);
  nb::object old;
  with_atomic(code, [&](auto number) {
    using T = decltype(number);
    const T with = *reinterpret_cast<const T*>(operand.data());
    old = nb::cast(array.in().detached(
        [&](const far::world& view) { return fetched_update(view, memory, i, with, how); }));
  });
  return old;
}

/// Returns what was there.
nb::object compare_swap(const py_array& array, std::uint64_t i, const const_bytes& both,
                        const std::string& code) {
  const array_memory& memory = array.memory();
  nb::object old;
  with_atomic(code, [&](auto number) {
    using T = decltype(number);
    T expected = reinterpret_cast<const T*>(both.data())[0];
    const T desired = reinterpret_cast<const T*>(both.data())[1];
    array.in().detached([&](const far::world& view) {
      (void)atomic_ref<T>(view, ptr<T>(memory.at(i).address())).compare_exchange(expected, desired);
    });
    old = nb::cast(expected);
  });
  return old;
}

/// This rank's elements, as bytes. They stay while the array or a view of them does.
nb::object local_bytes(const py_array& array) {
  const array_memory& memory = array.memory();
  const std::uint64_t first = static_cast<std::uint64_t>(array.in().rank()) * memory.block();
  const std::uint64_t elements =
      first < memory.size() ? std::min(memory.block(), memory.size() - first) : 0;
  auto* const kept = new std::shared_ptr<array_memory>(array.shared());
  const nb::capsule owner(
      kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<array_memory>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(
      reinterpret_cast<std::uint8_t*>(memory.local()), {elements * memory.item_bytes()}, owner));
}

}  // namespace

void define_arrays(nb::module_& module) {
  nb::class_<py_array>(module, "ArrayBase", nb::type_slots(slots))
      .def(nb::init<const py_world&, std::uint64_t, std::uint64_t, const std::string&>())
      .def_prop_ro("block", [](const py_array& a) { return a.memory().block(); })
      .def("_read", &read)
      .def("_write", &write)
      .def("_read_at", &read_at)
      .def("_write_at", &write_at)
      .def("_update_at", &update_at)
      .def("_fetch_update", &fetch_update)
      .def("_compare_swap", &compare_swap)
      .def("_local_bytes", &local_bytes)
      .def("_free", &py_array::free);
}

}  // namespace far::python
