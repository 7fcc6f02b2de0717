#pragma once
// The parts of the module, each defined in its own file.

#include <nanobind/nanobind.h>

namespace far::python {

void define_library(nanobind::module_& module);
void define_jobs(nanobind::module_& module);
void define_collectives(nanobind::module_& module);
void define_calls(nanobind::module_& module);
void define_arrays(nanobind::module_& module);
void define_grids(nanobind::module_& module);
void define_cached(nanobind::module_& module);
void define_word_maps(nanobind::module_& module);
void define_text_maps(nanobind::module_& module);
void define_queues(nanobind::module_& module);
void define_locks(nanobind::module_& module);

}  // namespace far::python
