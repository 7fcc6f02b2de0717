#include "apps/common/variant.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "apps/common/choice_option.hpp"
#include "far/base/error.hpp"

namespace far::apps {
namespace {

#ifdef FAR_APPS_WITH_MPI
constexpr bool built_with_mpi = true;
#else
constexpr bool built_with_mpi = false;
#endif

constexpr choice<variant> variants[] = {
    {"one-sided", variant::one_sided}, {"mpi", variant::mpi}, {"both", variant::both}};

}  // namespace

void add_variant_option(CLI::App& app, variant& chosen) {
  add_choice_option<variant>(app, "--variant", variants, chosen,
                             "one-sided (libfar), mpi, or both in turn");
}

std::vector<variant> variants_of(variant chosen) {
  if (chosen == variant::both) return {variant::one_sided, variant::mpi};
  return {chosen};
}

std::string name_of(variant which) { return name_in<variant>(variants, which); }

void check_variant(const world& world, const std::string& program, variant chosen) {
  if (chosen == variant::one_sided) return;
  if (!built_with_mpi) {
    throw bad_argument(
        fmt::format("{}: the variant mpi is not in this build; install Open MPI's headers (Debian: "
                    "libopenmpi-dev) and build again",
                    program));
  }
  // Launchers that MPI knows speak PMIx.
  if (world.size() > 1 && std::getenv("PMIX_RANK") == nullptr) {
    throw bad_argument(fmt::format(
        "{0}: MPI's launcher must start the ranks of the variant mpi: mpirun -n {1} {0} ...",
        program, world.size()));
  }
}

}  // namespace far::apps
