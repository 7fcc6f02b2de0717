#include <nanobind/stl/shared_ptr.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "bindings.hpp"
#include "jobs.hpp"

namespace far::python {
namespace {

/// A lock of all ranks. A thread unlocks by the view that it locked by.
template <class L>
class py_lock {
  using view_type = decltype(std::declval<L&>().on(std::declval<far::world&>()));
  struct held final : structure {
    explicit held(const far::world& world) : lock(world) {}
    L lock;
    std::mutex changes;
    std::map<std::shared_ptr<lane>, view_type> views;
  };

 public:
  explicit py_lock(const py_world& world)
      : in_(world.in),
        it_(in_->make<held>([](const far::world& view) { return std::make_unique<held>(view); })) {}

  template <class F>
  void with_lock(F f) {
    const std::shared_ptr<held> kept = it_;
    const std::shared_ptr<lane> mine = in_->lane_here();
    in_->detached_on(*mine, [&](const far::world& view) {
      if (!kept) throw job_ended("the lock was freed");
      f(view_of(*kept, mine, view));
    });
  }
  void free() { it_.reset(); }

  static nb::class_<py_lock> define(nb::module_& module, const char* name) {
    return nb::class_<py_lock>(module, name)
        .def(nb::init<const py_world&>())
        .def("acquire", [](py_lock& of) { of.with_lock([](auto& lock) { lock.lock(); }); })
        .def("release", [](py_lock& of) { of.with_lock([](auto& lock) { lock.unlock(); }); })
        .def("_lane",
             [](const py_lock& of) {
               return reinterpret_cast<std::uintptr_t>(of.in_->lane_here().get());
             })
        .def("_free", &py_lock::free);
  }

 private:
  static view_type& view_of(held& of, const std::shared_ptr<lane>& mine, const far::world& view) {
    const std::scoped_lock lock(of.changes);
    const auto found = of.views.find(mine);
    if (found != of.views.end()) return found->second;
    return of.views.emplace(mine, of.lock.on(view)).first->second;
  }

  std::shared_ptr<session> in_;
  std::shared_ptr<held> it_;
};

}  // namespace

void define_locks(nb::module_& module) {
  py_lock<topology_lock>::define(module, "Lock");
  using shared = py_lock<rw_lock>;
  shared::define(module, "RWLock")
      .def("acquire_shared",
           [](shared& of) { of.with_lock([](auto& lock) { lock.lock_shared(); }); })
      .def("release_shared",
           [](shared& of) { of.with_lock([](auto& lock) { lock.unlock_shared(); }); });
}

}  // namespace far::python
