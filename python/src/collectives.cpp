// Teams, and the collective functions of all of them. Lists travel as bytes; what they are made of
// is Python's affair, but for what is combined.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "buffers.hpp"
#include "jobs.hpp"
#include "types.hpp"

namespace far::python {
namespace {

using mutable_bytes = buffer_of<std::uint8_t>;
using const_bytes = buffer_of<const std::uint8_t>;
using numbers = buffer_of<const std::uint64_t>;

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
std::span<const std::byte> bytes_in(const nb::bytes& text) {
  return {reinterpret_cast<const std::byte*>(text.c_str()), text.size()};
}

/// Pieces of a list, one after the other, with their lengths.
std::vector<nb::bytes> pieces_of(const std::vector<std::byte>& list,
                                 const std::vector<std::size_t>& lengths) {
  std::vector<nb::bytes> result;
  const char* next = reinterpret_cast<const char*>(list.data());
  for (const std::size_t length : lengths) {
    result.emplace_back(next, length);
    next += length;
  }
  return result;
}

class py_team {
 public:
  /// All ranks.
  explicit py_team(const py_world& world) : in_(world.in) {}
  py_team(std::shared_ptr<session> in, far::team members)
      : in_(std::move(in)), members_(std::move(members)) {}

  [[nodiscard]] int rank() const { return members_ ? members_.rank() : in_->rank(); }
  [[nodiscard]] int size() const { return members_ ? members_.size() : in_->size(); }
  [[nodiscard]] int world_rank(int member) const {
    if (member < 0 || member >= size()) {
      throw out_of_bounds(fmt::format("member {} of a team of {}", member, size()));
    }
    return members_ ? members_.world_rank(member) : member;
  }
  /// color -1: joins no team.
  [[nodiscard]] std::optional<py_team> split(int color, int key) const {
    far::team made;
    with_team(
        [&](const far::world& view, const far::team& all) { made = all.split(view, color, key); });
    if (!made) return std::nullopt;
    return py_team(in_, std::move(made));
  }

  void barrier() const {
    with_team([](const far::world& view, const far::team& all) { far::barrier(view, all); });
  }

  void allreduce(const mutable_bytes& list, const std::string& code, const std::string& how) const {
    combined(list, code, how,
             [](const far::world& view, const far::team& all, auto span, combine operation) {
               far::allreduce(view, span, operation, all);
             });
  }
  void reduce(const mutable_bytes& list, const std::string& code, const std::string& how,
              int root) const {
    combined(list, code, how,
             [&](const far::world& view, const far::team& all, auto span, combine operation) {
               far::reduce(view, span, operation, root, all);
             });
  }
  void scan(const mutable_bytes& list, const std::string& code, const std::string& how) const {
    combined(list, code, how,
             [](const far::world& view, const far::team& all, auto span, combine operation) {
               far::inclusive_scan(view, span, operation, all);
             });
  }
  /// initial: one element.
  void exclusive_scan(const mutable_bytes& list, const mutable_bytes& initial,
                      const std::string& code, const std::string& how) const {
    combined(list, code, how,
             [&](const far::world& view, const far::team& all, auto span, combine operation) {
               using T = typename decltype(span)::element_type;
               far::exclusive_scan(view, span, numbers_in<T>(initial)[0], operation, all);
             });
  }

  void broadcast(const mutable_bytes& list, int root) const {
    with_team([&](const far::world& view, const far::team& all) {
      far::broadcast(view, bytes_in(list), root, all);
    });
  }
  [[nodiscard]] nb::bytes broadcast_any(const nb::bytes& mine, int root) const {
    std::vector<std::byte> bytes;
    if (rank() == root) bytes.assign(bytes_in(mine).begin(), bytes_in(mine).end());
    with_team([&](const far::world& view, const far::team& all) {
      bytes.resize(far::broadcast(view, std::uint64_t{bytes.size()}, root, all));
      far::broadcast(view, bytes, root, all);
    });
    return nb::bytes(bytes.data(), bytes.size());
  }

  /// all: of any length where this is not the root.
  void gather(const const_bytes& mine, const mutable_bytes& all_bytes, int root) const {
    with_team([&](const far::world& view, const far::team& all) {
      far::gather(view, bytes_in(mine), bytes_in(all_bytes), root, all);
    });
  }
  void allgather(const const_bytes& mine, const mutable_bytes& all_bytes) const {
    with_team([&](const far::world& view, const far::team& all) {
      far::allgather(view, bytes_in(mine), bytes_in(all_bytes), all);
    });
  }
  /// The lists of all members, of any lengths.
  [[nodiscard]] std::vector<nb::bytes> allgather_any(const nb::bytes& mine) const {
    std::vector<std::size_t> lengths;
    std::vector<std::byte> list;
    const auto from = bytes_in(mine);
    with_team([&](const far::world& view, const far::team& all) {
      list = far::allgatherv(view, from, &lengths, all);
    });
    return pieces_of(list, lengths);
  }
  void alltoall(const const_bytes& from, const mutable_bytes& to) const {
    with_team([&](const far::world& view, const far::team& all) {
      far::alltoall(view, bytes_in(from), bytes_in(to), all);
    });
  }
  /// `lengths` bytes go to each member. Returns what each has sent to this one.
  [[nodiscard]] std::vector<nb::bytes> alltoall_any(const nb::bytes& from,
                                                    const numbers& lengths) const {
    const std::vector<std::size_t> to_each(lengths.data(), lengths.data() + lengths.size());
    std::vector<std::size_t> from_each;
    std::vector<std::byte> list;
    const auto mine = bytes_in(from);
    with_team([&](const far::world& view, const far::team& all) {
      list = far::alltoallv(view, mine, to_each, &from_each, all);
    });
    return pieces_of(list, from_each);
  }

 private:
  /// Calls f(world, team) outside of the interpreter.
  template <class F>
  void with_team(F f) const {
    in_->detached(
        [&](const far::world& view) { f(view, members_ ? members_ : far::team::of(view)); });
  }
  /// Calls f(world, team, span, operation).
  template <class F>
  void combined(const mutable_bytes& list, const std::string& code, const std::string& name,
                F f) const {
    const combining how = combining_named(name);
    check_combining(how, code);
    with_number(code, "a reduction", [&](auto number) {
      const auto span = numbers_in<decltype(number)>(list);
      with_team(
          [&](const far::world& view, const far::team& all) { f(view, all, span, combine{how}); });
    });
  }

  std::shared_ptr<session> in_;
  far::team members_;  // empty: all ranks
};

}  // namespace

void define_collectives(nb::module_& module) {
  nb::class_<py_team>(module, "Team")
      .def(nb::init<const py_world&>())
      .def_prop_ro("rank", &py_team::rank)
      .def_prop_ro("size", &py_team::size)
      .def("world_rank", &py_team::world_rank)
      .def("split", &py_team::split)
      .def("barrier", &py_team::barrier)
      .def("allreduce", &py_team::allreduce)
      .def("reduce", &py_team::reduce)
      .def("scan", &py_team::scan)
      .def("exclusive_scan", &py_team::exclusive_scan)
      .def("broadcast", &py_team::broadcast)
      .def("broadcast_any", &py_team::broadcast_any)
      .def("gather", &py_team::gather)
      .def("allgather", &py_team::allgather)
      .def("allgather_any", &py_team::allgather_any)
      .def("alltoall", &py_team::alltoall)
      .def("alltoall_any", &py_team::alltoall_any);
}

}  // namespace far::python
