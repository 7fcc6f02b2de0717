#include "jobs.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdlib>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "bindings.hpp"

namespace far::python {
namespace {

std::unique_ptr<py_world> join() {
  auto made = std::make_unique<py_world>();
  {
    const nb::gil_scoped_release release;
    made->job = std::make_unique<far::job>();
    made->in = session::of(made->job->world(), false);
    if (made->in->size() > 1) made->answers = std::make_unique<service>(made->job->world());
  }
  made->interrupts = std::make_unique<interrupt_waits>();
  return made;
}

/// The thread state of a rank that shares its process with others.
class own_thread_state {
 public:
  explicit own_thread_state(PyInterpreterState* of) : state_(PyThreadState_New(of)) {
    PyEval_RestoreThread(state_);
  }
  ~own_thread_state() {
    PyThreadState_Clear(state_);
    PyThreadState_DeleteCurrent();
  }
  own_thread_state(const own_thread_state&) = delete;
  own_thread_state& operator=(const own_thread_state&) = delete;

 private:
  PyThreadState* state_;
};

/// Runs main(world) on all ranks that this process holds. `report(world, exception)` says in a line
/// what main has raised.
void run_all(const nb::callable& main, const nb::callable& report) {
  PyInterpreterState* const interpreter = PyInterpreterState_Get();
  const nb::gil_scoped_release release;
  far::run([&](far::world& world) {
    const own_thread_state own(interpreter);
    auto here = std::make_unique<py_world>();
    here->in = session::of(world, true);
    const std::shared_ptr<session> in = here->in;
    const nb::object seen = nb::cast(std::move(here));
    try {
      main(seen);
      in->detached([](const far::world& view) { far::barrier(view); });
      in->end();
    } catch (nb::python_error& raised) {
      const std::string what = nb::cast<std::string>(report(seen, raised.value()));
      in->end();
      throw far::error(what);
    }
  });
}

}  // namespace

void py_world::leave() {
  if (in->has_ended() || !job) return;
  const nb::gil_scoped_release release;
  // What is dropped at different times on different ranks has been destroyed where all agree; the
  // rest ends with the job.
  quiesce(job->world());
  answers.reset();
  in->end();
  job->leave();
}

void py_world::fail(const std::string& what) {
  if (in->has_ended() || !job) return;
  const nb::gil_scoped_release release;
  answers.reset();
  in->end();
  job->fail(std::make_exception_ptr(far::error(what)));
}

void define_jobs(nb::module_& module) {
  nb::class_<py_world>(module, "World")
      .def_prop_ro("rank", [](const py_world& w) { return w.in->rank(); })
      .def_prop_ro("size", [](const py_world& w) { return w.in->size(); })
      .def_prop_ro("ended", [](const py_world& w) { return w.in->has_ended(); })
      .def_prop_ro("is_shared", [](const py_world& w) { return w.in->holds_all_ranks(); })
      .def("node_of",
           [](const py_world& w, int rank) {
             if (rank < 0 || rank >= w.in->size()) {
               throw out_of_bounds(fmt::format("rank {} of {}", rank, w.in->size()));
             }
             return w.in->detached([&](const far::world& view) { return view.node_of(rank); });
           })
      .def("now_ns",
           [](const py_world& w) {
             w.in->check();
             return w.in->view().now();
           })
      .def("compute",
           [](const py_world& w, std::uint64_t ns) {
             w.in->detached([&](const far::world& view) { view.compute(ns); });
           })
      .def("progress",
           [](const py_world& w) {
             return w.in->detached([](const far::world& view) { return view.progress(); });
           })
      .def("barrier",
           [](const py_world& w) {
             w.in->detached([](const far::world& view) { far::barrier(view); });
           })
      .def("quiesce",
           [](const py_world& w) {
             w.in->detached([](const far::world& view) { far::quiesce(view); });
           })
      .def("_collect",
           [](const py_world& w) {
             w.in->detached([&](const far::world& view) { w.in->collect(view); });
           })
      .def("_leave", &py_world::leave)
      .def("_fail", &py_world::fail);
  module.def("join", &join);
  module.def("run_all", &run_all);
  module.def("ranks_to_hold", &fabric::ranks_to_hold);
  module.def("in_job", &fabric::in_job);
  module.def("exit_job", [](int status) { far::exit_job(status); });
}

}  // namespace far::python
