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

/// Runs what other ranks call, where ranks share the process.
void serve_shared(PyInterpreterState* interpreter, session& in, const far::world& mine) {
  // Most ranks are never called, and need no thread state for it.
  auto next = in.mail().receive(mine);
  if (!next) return;
  const own_thread_state own(interpreter);
  const session::own_lane lane(in, mine);
  for (; next;
       next = in.detached([&](const far::world& view) { return in.mail().receive(view); })) {
    handle_message(in, *next);
  }
}

/// A rank that shares its process: runs main(world). `report(world, exception)` says in a line what
/// main has raised.
void run_shared(PyInterpreterState* interpreter, const std::shared_ptr<session>& in,
                const far::world& mine, const nb::callable& main, const nb::callable& report) {
  const own_thread_state own(interpreter);
  in->use(mine);
  auto here = std::make_unique<py_world>();
  here->in = in;
  const nb::object seen = nb::cast(std::move(here));
  const auto close = [&] { in->detached([&](const far::world& view) { in->mail().close(view); }); };
  try {
    main(seen);
    in->detached([](const far::world& view) {
      far::barrier(view);
      far::quiesce(view);
    });
    close();
  } catch (nb::python_error& raised) {
    const std::string what = nb::cast<std::string>(report(seen, raised.value()));
    close();
    // A call that this rank runs for another may wait for what does not come now.
    if (!mine.fabric().simulated()) far::interrupt();
    throw far::error(what);
  }
}

/// Runs main(world) on all ranks that this process holds.
void run_all(const nb::callable& main, const nb::callable& report) {
  PyInterpreterState* const interpreter = PyInterpreterState_Get();
  const nb::gil_scoped_release release;
  far::run([&](const far::world& world) {
    const std::shared_ptr<session> in = session::of(world, true);
    const auto end = [&] {
      const own_thread_state own(interpreter);
      in->end();
    };
    try {
      world.threads(2, [&](const far::world& mine) {
        if (mine.thread() == 0) {
          run_shared(interpreter, in, mine, main, report);
        } else {
          serve_shared(interpreter, *in, mine);
        }
      });
    } catch (...) {
      end();
      throw;
    }
    end();
  });
}

/// Calls function() on n threads, with views of their own, and joins them.
void run_threads(const py_world& world, int n, const nb::callable& function) {
  PyInterpreterState* const interpreter = PyInterpreterState_Get();
  nb::object raised;
  world.in->detached([&](const far::world& view) {
    view.threads(n, [&](const far::world& mine) {
      const own_thread_state own(interpreter);
      const session::own_lane lane(*world.in, mine);
      try {
        function(mine.thread());
      } catch (nb::python_error& failure) {
        if (!raised) raised = nb::borrow(failure.value());
      }
    });
  });
  if (!raised) return;
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
  throw nb::python_error();
}

}  // namespace

void py_world::leave() {
  if (in->has_ended() || !job) return;
  {
    const nb::gil_scoped_release release;
    // What is dropped at different times on different ranks has been destroyed where all agree; the
    // rest ends with the job.
    quiesce(job->world());
    answers.reset();
  }
  in->end();
  const nb::gil_scoped_release release;
  job->leave();
}

void py_world::fail(const std::string& what) {
  if (in->has_ended() || !job) return;
  // Other threads may wait for what does not come now.
  far::interrupt();
  {
    const nb::gil_scoped_release release;
    answers.reset();
  }
  in->end();
  const nb::gil_scoped_release release;
  job->fail(std::make_exception_ptr(far::error(what)));
}

void define_jobs(nb::module_& module) {
  nb::class_<py_world>(module, "World")
      .def_prop_ro("rank", [](const py_world& w) { return w.in->rank(); })
      .def_prop_ro("size", [](const py_world& w) { return w.in->size(); })
      .def_prop_ro("ended", [](const py_world& w) { return w.in->has_ended(); })
      .def_prop_ro("is_shared", [](const py_world& w) { return w.in->holds_all_ranks(); })
      .def("threads", &run_threads)
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
      .def("quiesce",
           [](const py_world& w) {
             w.in->detached([](const far::world& view) { far::quiesce(view); });
           })
      .def("_collect",
           [](const py_world& w) {
             w.in->on_main([&](const far::world& view) { w.in->collect(view); });
           })
      .def("_leave", &py_world::leave)
      .def("_fail", &py_world::fail);
  module.def("join", &join);
  module.def("run_all", &run_all);
  module.def("ranks_to_hold", &fabric::ranks_to_hold);
  module.def("in_job", &fabric::in_job);
}

}  // namespace far::python
