#include <nanobind/stl/shared_ptr.h>

#include "bindings.hpp"
#include "jobs.hpp"

namespace far::python {
namespace {

/// A lock of all ranks, used by one thread of a rank at a time.
template <class L>
class py_lock {
  struct held final : structure {
    explicit held(const far::world& world) : lock(world) {}
    L lock;
  };

 public:
  explicit py_lock(const py_world& world)
      : in_(world.in), it_(in_->make<held>([](const far::world& view) {
          return std::make_unique<held>(view);
        })) {}

  template <class F>
  void with_lock(F f) {
    in_->detached([&](const far::world&) {
      if (!it_) throw job_ended("the lock was freed");
      f(it_->lock);
    });
  }
  void free() { it_.reset(); }

  static nb::class_<py_lock> define(nb::module_& module, const char* name) {
    return nb::class_<py_lock>(module, name)
        .def(nb::init<const py_world&>())
        .def("acquire", [](py_lock& of) { of.with_lock([](L& lock) { lock.lock(); }); })
        .def("release", [](py_lock& of) { of.with_lock([](L& lock) { lock.unlock(); }); })
        .def("_free", &py_lock::free);
  }

 private:
  std::shared_ptr<session> in_;
  std::shared_ptr<held> it_;
};

}  // namespace

void define_locks(nb::module_& module) {
  py_lock<topology_lock>::define(module, "Lock");
  using shared = py_lock<rw_lock>;
  shared::define(module, "RWLock")
      .def("acquire_shared",
           [](shared& of) { of.with_lock([](rw_lock& lock) { lock.lock_shared(); }); })
      .def("release_shared",
           [](shared& of) { of.with_lock([](rw_lock& lock) { lock.unlock_shared(); }); });
}

}  // namespace far::python
