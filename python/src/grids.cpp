// Arrays of several dimensions. What takes one element is here; sections and lists of indices
// become calls of the functions at the end, made by the Python class that is derived from this one.

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "array_scalars.hpp"
#include "bindings.hpp"
#include "grid_memory.hpp"
#include "indexing.hpp"
#include "jobs.hpp"
#include "slots.hpp"

namespace far::python {
namespace {

using const_bytes = buffer_of<const std::uint8_t>;
using mutable_bytes = buffer_of<std::uint8_t>;
using list = std::vector<std::uint64_t>;
using grid_index = grid_memory::index;

/// As Python gives them: a list for each dimension. Empty: chosen.
nd_array_options<grid_memory::all_dimensions> options_of(const list& blocks,
                                                         const std::vector<list>& begins,
                                                         const list& ghosts,
                                                         const std::vector<bool>& periodic) {
  nd_array_options<grid_memory::all_dimensions> how;
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    how.blocks[k] = blocks[k];
    how.begins[k] = begins[k];
    how.ghosts[k] = ghosts[k];
    how.periodic[k] = periodic[k];
  }
  return how;
}

class py_grid {
 public:
  py_grid(const py_world& world, const list& extents, std::uint64_t item_bytes,
          const std::string& code, const list& blocks, const std::vector<list>& begins,
          const list& ghosts, const std::vector<bool>& periodic)
      : in_(world.in),
        it_(in_->make<grid_memory>([&](const far::world& view) {
          return std::make_unique<grid_memory>(view, extents, item_bytes,
                                               options_of(blocks, begins, ghosts, periodic));
        })),
        kind_(scalar_of(code)) {}

  /// Errors: job_ended.
  [[nodiscard]] const grid_memory& memory() const { return *shared(); }
  [[nodiscard]] const std::shared_ptr<grid_memory>& shared() const {
    in_->check();
    if (!it_) [[unlikely]]
      throw job_ended("the array was freed");
    return it_;
  }
  [[nodiscard]] session& in() const noexcept { return *in_; }
  [[nodiscard]] scalar kind() const noexcept { return kind_; }
  void free() { it_.reset(); }

 private:
  std::shared_ptr<session> in_;
  std::shared_ptr<grid_memory> it_;
  scalar kind_;
};

// -- one element ----------------------------------------------------------------------------------

/// The index that a tuple of exact ints is. Nothing for other keys. Errors: out_of_bounds.
std::optional<grid_index> element_in(const grid_memory& memory, PyObject* key) {
  if (!PyTuple_CheckExact(key)) return std::nullopt;
  if (static_cast<std::size_t>(PyTuple_GET_SIZE(key)) != memory.dimensions()) return std::nullopt;
  grid_index result{};
  for (std::size_t k = 0; k < memory.dimensions(); ++k) {
    const auto i = index_in(memory.extents()[k], PyTuple_GET_ITEM(key, static_cast<Py_ssize_t>(k)));
    if (!i) return std::nullopt;
    result[k] = *i;
  }
  return result;
}

/// Where instructions reach the number that a key selects, or null.
std::byte* number_at(const py_grid& grid, PyObject* key) {
  const grid_memory& memory = grid.memory();
  if (grid.kind() == scalar::other) return nullptr;
  const auto i = element_in(memory, key);
  if (!i) return nullptr;
  return fabric::reached(grid.in().view().words(), memory.at(memory.locate(i->data())).address());
}

PyObject* get_item(PyObject* self, PyObject* key) {
  return translated<PyObject*>(nullptr, [&]() -> PyObject* {
    const py_grid& grid = *nb::inst_ptr<py_grid>(self);
    if (const std::byte* const place = number_at(grid, key)) return to_python(grid.kind(), place);
    return nb::handle(self).attr("_get_items")(nb::handle(key)).release().ptr();
  });
}

int set_item(PyObject* self, PyObject* key, PyObject* value) {
  return translated(-1, [&] {
    const py_grid& grid = *nb::inst_ptr<py_grid>(self);
    if (value == nullptr) {
      PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
      return -1;
    }
    std::byte* const place = number_at(grid, key);
    if (place != nullptr && from_python(grid.kind(), value, place)) return 0;
    nb::handle(self).attr("_set_items")(nb::handle(key), nb::handle(value));
    return 0;
  });
}

Py_ssize_t length(PyObject* self) {
  return translated<Py_ssize_t>(-1, [&] {
    return static_cast<Py_ssize_t>(nb::inst_ptr<py_grid>(self)->memory().extents().front());
  });
}

PyType_Slot slots[] = {{Py_mp_subscript, reinterpret_cast<void*>(&get_item)},
                       {Py_mp_ass_subscript, reinterpret_cast<void*>(&set_item)},
                       {Py_mp_length, reinterpret_cast<void*>(&length)},
                       {0, nullptr}};

// -- many elements --------------------------------------------------------------------------------

stepped_section section_in(const grid_memory& memory, const list& first, const list& count,
                           const list& step) {
  stepped_section result;
  result.count.fill(1);
  result.step.fill(1);
  std::ranges::copy(first, result.first.begin());
  std::ranges::copy(count, result.count.begin());
  std::ranges::copy(step, result.step.begin());
  result.count.back() = memory.item_bytes();
  return result;
}

runs runs_in(const index_list& starts, std::uint64_t length) {
  return {{starts.data(), starts.size()}, length};
}

template <class Of>
void read(const py_grid& grid, const Of& of, const mutable_bytes& to) {
  const auto memory = grid.shared();
  grid.in().detached([&](const far::world& view) {
    memory->read(view, of, reinterpret_cast<std::byte*>(to.data()));
  });
}

template <class Of>
void write(const py_grid& grid, const Of& of, const const_bytes& from) {
  const auto memory = grid.shared();
  grid.in().detached([&](const far::world& view) {
    memory->write(view, of, reinterpret_cast<const std::byte*>(from.data()));
  });
}

/// Calls f(T{}) with the type that is added for elements of a code. Integers wrap around, so what
/// they are without a sign makes no difference.
template <class F>
void with_sum(const std::string& code, F f) {
  if (code == "f8") return f(double{});
  if (code == "f4") return f(float{});
  if (code == "i8" || code == "u8") return f(long{});
  if (code == "i4" || code == "u4") return f(int{});
  if (code == "c16") return f(std::complex<double>{});
  if (code == "c8") return f(std::complex<float>{});
  throw bad_argument(
      fmt::format("accumulate needs integers of 4 or 8 bytes, or floating-point or complex "
                  "numbers of 4 to 16, not elements of type '{}'",
                  code));
}

template <class Of>
void accumulate(const py_grid& grid, const Of& of, const const_bytes& factor,
                const const_bytes& values, const std::string& code) {
  const auto memory = grid.shared();
  with_sum(code, [&](auto number) {
    using T = decltype(number);
    const T by = *reinterpret_cast<const T*>(factor.data());
    grid.in().detached([&](const far::world& view) {
      memory->accumulate(view, of, by, reinterpret_cast<const T*>(values.data()));
    });
  });
}

// -- distribution ---------------------------------------------------------------------------------

/// The first index of a rank's elements in each dimension, and their number.
std::pair<list, list> block(const py_grid& grid, int rank) {
  const grid_memory& memory = grid.memory();
  const auto of = memory.whole().block(rank);
  const auto n = static_cast<std::ptrdiff_t>(memory.dimensions());
  return {list(of.begin.begin(), of.begin.begin() + n),
          list(of.extents.begin(), of.extents.begin() + n)};
}

int owner(const py_grid& grid, const list& of) {
  grid_index i{};
  std::ranges::copy(of, i.begin());
  return grid.memory().whole().owner(i);
}

/// This rank's elements and its ghost cells, as bytes. They stay while the array or a view of them
/// does.
nb::object local_bytes(const py_grid& grid) {
  auto* const kept = new std::shared_ptr<grid_memory>(grid.shared());
  const nb::capsule keeper(
      kept, [](void* p) noexcept { delete static_cast<std::shared_ptr<grid_memory>*>(p); });
  const auto all = (*kept)->whole().on(grid.in().view()).local_with_ghosts();
  std::uint64_t bytes = 1;
  for (const std::uint64_t extent : all.extents) bytes *= extent;
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(
      reinterpret_cast<std::uint8_t*>(all.first), {bytes}, keeper));
}

void update_ghosts(const py_grid& grid) {
  const auto memory = grid.shared();
  grid.in().detached([&](const far::world& view) { far::update_ghosts(memory->whole().on(view)); });
}

}  // namespace

void define_grids(nb::module_& module) {
  nb::class_<py_grid>(module, "GridBase", nb::type_slots(slots))
      .def(nb::init<const py_world&, const list&, std::uint64_t, const std::string&, const list&,
                    const std::vector<list>&, const list&, const std::vector<bool>&>())
      .def("_read",
           [](const py_grid& grid, const list& first, const list& count, const list& step,
              const mutable_bytes& to) {
             read(grid, section_in(grid.memory(), first, count, step), to);
           })
      .def("_write",
           [](const py_grid& grid, const list& first, const list& count, const list& step,
              const const_bytes& from) {
             write(grid, section_in(grid.memory(), first, count, step), from);
           })
      .def("_accumulate",
           [](const py_grid& grid, const list& first, const list& count, const list& step,
              const const_bytes& factor, const const_bytes& values, const std::string& code) {
             accumulate(grid, section_in(grid.memory(), first, count, step), factor, values, code);
           })
      .def("_read_runs", [](const py_grid& grid, const index_list& starts, std::uint64_t length,
                            const mutable_bytes& to) { read(grid, runs_in(starts, length), to); })
      .def("_write_runs",
           [](const py_grid& grid, const index_list& starts, std::uint64_t length,
              const const_bytes& from) { write(grid, runs_in(starts, length), from); })
      .def("_accumulate_runs",
           [](const py_grid& grid, const index_list& starts, std::uint64_t length,
              const const_bytes& factor, const const_bytes& values, const std::string& code) {
             accumulate(grid, runs_in(starts, length), factor, values, code);
           })
      .def("_block", &block)
      .def("_owner", &owner)
      .def("_local_bytes", &local_bytes)
      .def("_update_ghosts", &update_ghosts)
      .def("_free", &py_grid::free);
}

}  // namespace far::python
