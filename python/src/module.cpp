// The compiled part of the package `far`. What users see is in the Python files beside it.

#include <stdexcept>

#include "bindings.hpp"
#include "errors.hpp"

NB_MODULE(_far, module) {
  using namespace far::python;
  // Ranks, threads and handlers are of the process, and there is one thread state for each.
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    throw std::runtime_error("far cannot be imported in a sub-interpreter, only in the main one");
  }
  // Programs may end while they have objects; nanobind would list them.
  nanobind::set_leak_warnings(false);
  define_errors(module);
  define_library(module);
  define_jobs(module);
  define_collectives(module);
  define_calls(module);
  define_arrays(module);
  define_grids(module);
  define_cached(module);
  define_word_maps(module);
  define_text_maps(module);
  define_queues(module);
  define_locks(module);
}
