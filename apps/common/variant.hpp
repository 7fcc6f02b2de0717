#pragma once
// Programs that do the same work in two ways: by one-sided transfers of libfar, and by messages of
// MPI, to compare the two.

#include <cstdint>
#include <string>
#include <vector>

#include "far/world/world.hpp"

namespace CLI {
class App;
}

namespace far::apps {

enum class variant : std::uint8_t { one_sided, mpi, both };

/// Adds the option --variant.
void add_variant_option(CLI::App& app, variant& chosen);

/// The variants to run, in turn: one or two.
[[nodiscard]] std::vector<variant> variants_of(variant chosen);
/// As the option --variant has it.
[[nodiscard]] std::string name_of(variant which);

/// Throws if this variant cannot run in this job: MPI is not there, or did not start the ranks.
/// Errors: bad_argument, one line.
void check_variant(const world& world, const std::string& program, variant chosen);

}  // namespace far::apps
