#include "errors.hpp"

#include <csignal>
#include <new>
#include <string>

namespace far::python {
namespace {

// Owned by the module, which is never unloaded.
struct exception_classes {
  PyObject *error, *bad_argument, *out_of_bounds, *out_of_memory, *rank_failed, *deadlock,
      *job_ended, *fabric_error;
} classes;

PyObject* define(nb::module_& module, const char* name, const char* doc, PyObject* base,
                 PyObject* other = nullptr) {
  const nb::object bases = other != nullptr
                               ? nb::object(nb::make_tuple(nb::borrow(base), nb::borrow(other)))
                               : nb::borrow(base);
  const std::string full = std::string("far.") + name;
  PyObject* const made = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr);
  if (made == nullptr) throw nb::python_error();
  module.attr(name) = nb::borrow(made);
  return made;
}

void raise_rank_failed(const far::rank_failed& failure) {
  const nb::object made = nb::borrow(classes.rank_failed)(failure.what());
  made.attr("rank") = failure.rank();
  PyErr_SetObject(classes.rank_failed, made.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const far::interrupted& stopped) {
    // What interrupted it is a signal, whose Python handler says what to raise.
    if (PyErr_CheckSignals() == 0) raise_rank_failed(stopped);
  } catch (const job_ended& e) {
    PyErr_SetString(classes.job_ended, e.what());
  } catch (const far::rank_failed& e) {
    raise_rank_failed(e);
  } catch (const far::bad_argument& e) {
    PyErr_SetString(classes.bad_argument, e.what());
  } catch (const far::out_of_bounds& e) {
    PyErr_SetString(classes.out_of_bounds, e.what());
  } catch (const far::out_of_memory& e) {
    PyErr_SetString(classes.out_of_memory, e.what());
  } catch (const far::deadlock& e) {
    PyErr_SetString(classes.deadlock, e.what());
  } catch (const far::fabric_error& e) {
    PyErr_SetString(classes.fabric_error, e.what());
  } catch (const far::error& e) {
    PyErr_SetString(classes.error, e.what());
  }
}

// A handler knows nothing but globals.
struct sigaction pythons_action;
bool is_installed = false;

extern "C" void interrupt_and_note(int signal) {
  far::interrupt();
  if (pythons_action.sa_handler != SIG_DFL && pythons_action.sa_handler != SIG_IGN) {
    pythons_action.sa_handler(signal);
  }
}

}  // namespace

void define_errors(nb::module_& module) {
  classes.error = define(module, "Error", "Whatever libfar refuses or cannot do.", PyExc_Exception);
  classes.bad_argument = define(module, "BadArgument", "An argument that cannot be used as given.",
                                classes.error, PyExc_ValueError);
  classes.out_of_bounds =
      define(module, "OutOfBounds", "An index beyond an array.", classes.error, PyExc_IndexError);
  classes.out_of_memory =
      define(module, "OutOfMemory", "A heap or ring is full; the message names the option.",
             classes.error, PyExc_MemoryError);
  classes.rank_failed =
      define(module, "RankFailed", "A rank has ended before its job; `rank` is its number.",
             classes.error);
  classes.deadlock =
      define(module, "Deadlock", "A simulated job in which no rank can go on.", classes.error);
  classes.job_ended =
      define(module, "JobEnded", "The job, or the object, exists no longer.", classes.error);
  classes.fabric_error =
      define(module, "FabricError", "A failure of a system call or a network link.", classes.error);
  nb::register_exception_translator(translate);
}

void set_python_error() noexcept {
  try {
    translate(std::current_exception(), nullptr);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

interrupt_waits::interrupt_waits() {
  // Only where Ctrl-C raises KeyboardInterrupt: a program's own handler is its own affair.
  const nb::module_ signals = nb::module_::import_("signal");
  const nb::object now = signals.attr("getsignal")(SIGINT);
  if (is_installed || !now.is(signals.attr("default_int_handler"))) return;
  struct sigaction mine {};
  mine.sa_handler = interrupt_and_note;
  sigaction(SIGINT, nullptr, &pythons_action);
  mine.sa_flags = pythons_action.sa_flags;
  is_installed = sigaction(SIGINT, &mine, nullptr) == 0;
}

interrupt_waits::~interrupt_waits() {
  if (!is_installed) return;
  sigaction(SIGINT, &pythons_action, nullptr);
  is_installed = false;
}

}  // namespace far::python
