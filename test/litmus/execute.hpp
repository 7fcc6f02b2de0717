#pragma once
// Runs litmus programs on a fabric, through the public operations.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "far/far.hpp"
#include "test/litmus/program.hpp"

namespace far::litmus {

/// Mistakes of a library or a program, built in to check that they are found.
enum class slip : std::uint8_t {
  nothing,
  no_flush,           ///< flushes are left out
  signal_first,       ///< the signal is sent before its payload
  half_words,         ///< words are put in two halves
  update_by_get_put,  ///< a fetch_add is made of a get and a put
  unfinished_put,     ///< blocking puts return once they have started
};

struct execution {
  std::size_t copies = 1;  ///< runs of each program between two barriers
  slip mistake = slip::nothing;
};

/// Collective. Runs each program, its thread of rank r on rank r, from zeroed memory, and calls
/// report(index of the program, outcome) on rank 0 for each copy. The programs may use fewer ranks
/// than the job has, and no messages, barriers or plain loads.
void execute(world& world, std::span<const program* const> programs, const execution& how,
             const std::function<void(std::size_t, const outcome&)>& report);

}  // namespace far::litmus
