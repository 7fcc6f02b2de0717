#pragma once
// The same simulation as a sequential program with other code: the check of --verify.

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/water/model.hpp"

namespace far::apps::water::oracle {

/// The energies after 0 .. steps steps. `progress` is called after each step.
[[nodiscard]] std::vector<energies> simulate(
    std::uint64_t molecules, std::uint64_t steps, std::uint64_t seed,
    const std::function<void(std::uint64_t)>& progress = [](std::uint64_t) {});

}  // namespace far::apps::water::oracle
