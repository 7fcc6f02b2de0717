#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "jobs.hpp"
#include "types.hpp"

namespace far::python {
namespace {

using mutable_bytes = bytes_of<std::uint8_t>;
using const_bytes = bytes_of<const std::uint8_t>;

template <class T>
std::span<T> numbers_in(const mutable_bytes& list) {
  return {reinterpret_cast<T*>(list.data()), list.size() / sizeof(T)};
}
std::span<const std::byte> bytes_in(const const_bytes& list) {
  return {reinterpret_cast<const std::byte*>(list.data()), list.size()};
}
std::span<std::byte> bytes_in(const mutable_bytes& list) {
  return {reinterpret_cast<std::byte*>(list.data()), list.size()};
}

/// Calls f(world, span, operation).
template <class F>
void combined(const py_world& world, const mutable_bytes& list, const std::string& code,
              const std::string& name, F f) {
  const combining how = combining_named(name);
  check_combining(how, code);
  with_number(code, "a reduction", [&](auto number) {
    const auto span = numbers_in<decltype(number)>(list);
    world.in->detached([&](const far::world& view) { f(view, span, combine{how}); });
  });
}

void allreduce_list(const py_world& world, const mutable_bytes& list, const std::string& code,
                    const std::string& how) {
  combined(world, list, code, how, [](const far::world& view, auto span, combine operation) {
    far::allreduce(view, span, operation);
  });
}

void reduce_list(const py_world& world, const mutable_bytes& list, const std::string& code,
                 const std::string& how, int root) {
  combined(world, list, code, how, [&](const far::world& view, auto span, combine operation) {
    far::reduce(view, span, operation, root);
  });
}

void scan_list(const py_world& world, const mutable_bytes& list, const std::string& code,
               const std::string& how) {
  combined(world, list, code, how, [](const far::world& view, auto span, combine operation) {
    far::inclusive_scan(view, span, operation);
  });
}

void broadcast_list(const py_world& world, const mutable_bytes& list, int root) {
  world.in->detached([&](const far::world& view) { far::broadcast(view, bytes_in(list), root); });
}

nb::bytes broadcast_any(const py_world& world, const nb::bytes& mine, int root) {
  std::vector<std::byte> bytes;
  if (world.in->rank() == root) {
    const auto* const first = reinterpret_cast<const std::byte*>(mine.c_str());
    bytes.assign(first, first + mine.size());
  }
  world.in->detached([&](const far::world& view) {
    bytes.resize(far::broadcast(view, std::uint64_t{bytes.size()}, root));
    far::broadcast(view, bytes, root);
  });
  return nb::bytes(bytes.data(), bytes.size());
}

void allgather_list(const py_world& world, const const_bytes& mine, const mutable_bytes& all) {
  world.in->detached(
      [&](const far::world& view) { far::allgather(view, bytes_in(mine), bytes_in(all)); });
}

/// The lists of all ranks, of any lengths.
std::vector<nb::bytes> allgather_any(const py_world& world, const nb::bytes& mine) {
  std::vector<std::size_t> lengths;
  std::vector<std::byte> all;
  const std::span<const std::byte> list(reinterpret_cast<const std::byte*>(mine.c_str()),
                                        mine.size());
  world.in->detached([&](const far::world& view) { all = far::allgatherv(view, list, &lengths); });
  std::vector<nb::bytes> result;
  const char* next = reinterpret_cast<const char*>(all.data());
  for (const std::size_t length : lengths) {
    result.emplace_back(next, length);
    next += length;
  }
  return result;
}

void alltoall_list(const py_world& world, const const_bytes& from, const mutable_bytes& to) {
  world.in->detached(
      [&](const far::world& view) { far::alltoall(view, bytes_in(from), bytes_in(to)); });
}

}  // namespace

void define_collectives(nb::module_& module) {
  module.def("allreduce", &allreduce_list);
  module.def("reduce", &reduce_list);
  module.def("scan", &scan_list);
  module.def("broadcast", &broadcast_list);
  module.def("broadcast_any", &broadcast_any);
  module.def("allgather", &allgather_list);
  module.def("allgather_any", &allgather_any);
  module.def("alltoall", &alltoall_list);
}

}  // namespace far::python
