#pragma once
// Litmus programs by the hundred: the classic shapes, with every kind of access and every kind of
// order between two accesses, and the words in every place that matters.
//
// The name of a program says what it is: mp+aput+flush+put|get+get@01 is message passing; its first
// thread starts a put, flushes, and puts; its second gets twice; x is at rank 0 and y at rank 1.
//
//   put get        blocking, of a word        aput aget   non-blocking
//   store load     of atomic_ref              tput tget   blocking transfers (atput: not)
//   add swap       updates of atomic_ref      aadd        a non-blocking update
//   flush          of all ranks               flushr      of the rank of the access before
//   wait           until the non-blocking operations before are complete

#include <vector>

#include "test/litmus/program.hpp"

namespace far::litmus {

/// Shapes of blocking and non-blocking words, atomics and transfers. Of a shape's threads one goes
/// through all patterns, while the others have one of a few that stand for the rest.
[[nodiscard]] std::vector<program> classic_programs();

/// A put with a signal, with and without another put before it.
[[nodiscard]] std::vector<program> signal_programs();

/// Read-modify-writes: against each other, against other changes, and as parts of the shapes.
[[nodiscard]] std::vector<program> update_programs();

/// All of them.
[[nodiscard]] std::vector<program> all_programs();

}  // namespace far::litmus
