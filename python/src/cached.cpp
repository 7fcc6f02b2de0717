// Cached arrays. Any access may have to wait for another rank, so all of them leave the
// interpreter.

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "array_scalars.hpp"
#include "bindings.hpp"
#include "cached_memory.hpp"
#include "indexing.hpp"
#include "jobs.hpp"
#include "slots.hpp"

namespace far::python {
namespace {

using const_bytes = buffer_of<const std::uint8_t>;
using mutable_bytes = buffer_of<std::uint8_t>;

cached_array_options options_of(std::uint64_t chunk, std::uint64_t cache_bytes,
                                const std::string& how, bool force_protocol) {
  cached_array_options options;
  options.chunk = chunk;
  options.cache_bytes = cache_bytes;
  options.force_protocol = force_protocol;
  if (how == "always") {
    options.how = caching::always;
  } else if (how == "never") {
    options.how = caching::never;
  } else if (how != "automatic") {
    throw bad_argument(
        fmt::format("caching is \"automatic\", \"always\" or \"never\", not \"{}\"", how));
  }
  return options;
}

class py_cached {
 public:
  py_cached(const py_world& world, std::uint64_t size, const std::string& code, std::uint64_t chunk,
            std::uint64_t cache_bytes, const std::string& how, bool force_protocol)
      : in_(world.in),
        it_(in_->make<cached_memory>([&](const far::world& view) {
          return make_cached(view, size, code, options_of(chunk, cache_bytes, how, force_protocol));
        })),
        kind_(scalar_of(code)) {}

  /// Errors: job_ended.
  [[nodiscard]] std::shared_ptr<cached_memory> memory() const {
    in_->check();
    if (!it_) throw job_ended("the array was freed");
    return it_;
  }
  /// f(world, memory), outside of the interpreter.
  template <class F>
  auto detached(F f) const {
    const auto kept = memory();
    return in_->detached([&](const far::world& view) { return f(view, *kept); });
  }
  [[nodiscard]] scalar kind() const noexcept { return kind_; }
  void free() { it_.reset(); }

 private:
  std::shared_ptr<session> in_;
  std::shared_ptr<cached_memory> it_;
  scalar kind_;
};

// -- one element ----------------------------------------------------------------------------------

/// The bytes of the largest number.
struct alignas(8) number {
  std::array<std::byte, 8> bytes{};
};

PyObject* get_item(PyObject* self, PyObject* key) {
  return translated<PyObject*>(nullptr, [&]() -> PyObject* {
    const py_cached& array = *nb::inst_ptr<py_cached>(self);
    if (const auto i = index_in(array.memory()->size(), key)) {
      number element;
      array.detached([&](const far::world& view, const cached_memory& memory) {
        memory.get(view, *i, element.bytes.data());
      });
      return to_python(array.kind(), element.bytes.data());
    }
    return nb::handle(self).attr("_get_items")(nb::handle(key)).release().ptr();
  });
}

int set_item(PyObject* self, PyObject* key, PyObject* value) {
  return translated(-1, [&] {
    const py_cached& array = *nb::inst_ptr<py_cached>(self);
    if (value == nullptr) {
      PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
      return -1;
    }
    const auto i = index_in(array.memory()->size(), key);
    number element;
    if (i && from_python(array.kind(), value, element.bytes.data())) {
      array.detached([&](const far::world& view, const cached_memory& memory) {
        memory.put(view, *i, element.bytes.data());
      });
      return 0;
    }
    nb::handle(self).attr("_set_items")(nb::handle(key), nb::handle(value));
    return 0;
  });
}

Py_ssize_t length(PyObject* self) {
  return translated<Py_ssize_t>(
      -1, [&] { return static_cast<Py_ssize_t>(nb::inst_ptr<py_cached>(self)->memory()->size()); });
}

PyType_Slot slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(&get_item)},
                       {Py_mp_ass_subscript, reinterpret_cast<void*>(&set_item)},
                       {Py_mp_length, reinterpret_cast<void*>(&length)},
                       {0, nullptr}};

// -- many elements --------------------------------------------------------------------------------

void read(const py_cached& array, std::uint64_t first, const mutable_bytes& to) {
  array.detached([&](const far::world& view, const cached_memory& memory) {
    memory.read(view, first, {reinterpret_cast<std::byte*>(to.data()), to.size()});
  });
}

void write(const py_cached& array, std::uint64_t first, const const_bytes& from) {
  array.detached([&](const far::world& view, const cached_memory& memory) {
    memory.write(view, first, {reinterpret_cast<const std::byte*>(from.data()), from.size()});
  });
}

/// f(world, memory, indices).
template <class F>
void at_indices(const py_cached& array, const index_list& at, F f) {
  std::vector<std::int64_t> room;
  const auto indices = checked(array.memory()->size(), at, room);
  const std::span<const std::uint64_t> from_zero(
      reinterpret_cast<const std::uint64_t*>(indices.data()), indices.size());
  array.detached(
      [&](const far::world& view, const cached_memory& memory) { f(view, memory, from_zero); });
}

void read_at(const py_cached& array, const index_list& at, const mutable_bytes& to) {
  at_indices(array, at, [&](const far::world& view, const cached_memory& memory, auto indices) {
    memory.read_at(view, indices, reinterpret_cast<std::byte*>(to.data()));
  });
}

void write_at(const py_cached& array, const index_list& at, const const_bytes& from) {
  at_indices(array, at, [&](const far::world& view, const cached_memory& memory, auto indices) {
    memory.write_at(view, indices, reinterpret_cast<const std::byte*>(from.data()));
  });
}

/// operands: as many as indices, or one for all.
void update_at(const py_cached& array, const index_list& at, const const_bytes& operands,
               const std::string& code, const std::string& name) {
  const combining how = combining_named(name);
  check_combining(how, code);
  at_indices(array, at, [&](const far::world& view, const cached_memory& memory, auto indices) {
    memory.apply_at(view, indices,
                    {reinterpret_cast<const std::byte*>(operands.data()), operands.size()}, how);
  });
}

}  // namespace

void define_cached(nb::module_& module) {
  nb::class_<py_cached>(module, "CachedArrayBase", nb::type_slots(slots))
      .def(nb::init<const py_world&, std::uint64_t, const std::string&, std::uint64_t,
                    std::uint64_t, const std::string&, bool>())
      .def_prop_ro("chunk", [](const py_cached& a) { return a.memory()->chunk(); })
      .def("explain", [](const py_cached& a) { return a.memory()->explain(); })
      .def("_local_bounds", [](const py_cached& a) { return a.memory()->local_bounds(); })
      .def("_owner", [](const py_cached& a, std::uint64_t i) { return a.memory()->owner(i); })
      .def("_read", &read)
      .def("_write", &write)
      .def("_read_at", &read_at)
      .def("_write_at", &write_at)
      .def("_update_at", &update_at)
      .def("_prefetch",
           [](const py_cached& array, std::uint64_t first, std::uint64_t n) {
             array.detached([&](const far::world& view, const cached_memory& memory) {
               memory.prefetch(view, first, n);
             });
           })
      .def("_fill",
           [](const py_cached& array, const const_bytes& value) {
             array.detached([&](const far::world& view, const cached_memory& memory) {
               memory.fill(view, reinterpret_cast<const std::byte*>(value.data()));
             });
           })
      .def("_lock",
           [](const py_cached& array, std::uint64_t i, bool shared) {
             array.detached([&](const far::world& view, const cached_memory& memory) {
               memory.lock(view, i, shared);
             });
           })
      .def("_unlock",
           [](const py_cached& array, std::uint64_t i, bool shared) {
             array.detached([&](const far::world& view, const cached_memory& memory) {
               memory.unlock(view, i, shared);
             });
           })
      .def("_free", &py_cached::free);
}

}  // namespace far::python
