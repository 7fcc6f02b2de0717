#include <nanobind/stl/shared_ptr.h>

#include "bindings.hpp"
#include "jobs.hpp"

namespace far::python {
namespace {

struct held_lock final : structure {
  explicit held_lock(const far::world& world) : words(world) {}
  topology_lock words;
};

/// An exclusive lock of all ranks, used by one thread of a rank at a time.
class py_lock {
 public:
  explicit py_lock(const py_world& world)
      : in_(world.in), it_(in_->make<held_lock>([](const far::world& view) {
          return std::make_unique<held_lock>(view);
        })) {}

  void acquire() {
    in_->detached([&](const far::world&) { it()->words.lock(); });
  }
  void release() {
    in_->detached([&](const far::world&) { it()->words.unlock(); });
  }
  void free() { it_.reset(); }

 private:
  held_lock* it() const {
    if (!it_) throw job_ended("the lock was freed");
    return it_.get();
  }

  std::shared_ptr<session> in_;
  std::shared_ptr<held_lock> it_;
};

struct held_rw_lock final : structure {
  explicit held_rw_lock(const far::world& world) : words(world) {}
  rw_lock words;
};

class py_rw_lock {
 public:
  explicit py_rw_lock(const py_world& world)
      : in_(world.in), it_(in_->make<held_rw_lock>([](const far::world& view) {
          return std::make_unique<held_rw_lock>(view);
        })) {}

  void acquire() {
    in_->detached([&](const far::world&) { it()->words.lock(); });
  }
  void release() {
    in_->detached([&](const far::world&) { it()->words.unlock(); });
  }
  void acquire_shared() {
    in_->detached([&](const far::world&) { it()->words.lock_shared(); });
  }
  void release_shared() {
    in_->detached([&](const far::world&) { it()->words.unlock_shared(); });
  }
  void free() { it_.reset(); }

 private:
  held_rw_lock* it() const {
    if (!it_) throw job_ended("the lock was freed");
    return it_.get();
  }

  std::shared_ptr<session> in_;
  std::shared_ptr<held_rw_lock> it_;
};

}  // namespace

void define_locks(nb::module_& module) {
  nb::class_<py_lock>(module, "Lock")
      .def(nb::init<const py_world&>())
      .def("acquire", &py_lock::acquire)
      .def("release", &py_lock::release)
      .def("_free", &py_lock::free);
  nb::class_<py_rw_lock>(module, "RWLock")
      .def(nb::init<const py_world&>())
      .def("acquire", &py_rw_lock::acquire)
      .def("release", &py_rw_lock::release)
      .def("acquire_shared", &py_rw_lock::acquire_shared)
      .def("release_shared", &py_rw_lock::release_shared)
      .def("_free", &py_rw_lock::free);
}

}  // namespace far::python
