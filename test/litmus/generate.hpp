#pragma once
// Hundreds of litmus programs: the classic shapes, with every kind of access and every kind of
// order between two accesses, and with the words in every relevant place.
//
// The name of a program describes it: mp+aput+flush+put|get+get@01 is message passing. Its first
// thread starts a put, flushes, and puts; its second thread gets twice; x is at rank 0 and y at
// rank 1.
//
//   put get        blocking, of a word        aput aget   non-blocking
//   store load     of atomic_ref              tput tget   blocking transfers (atput: not)
//   add swap       updates of atomic_ref      aadd        a non-blocking update
//   flush          of all ranks               flushr      of the rank of the access before
//   wait           until the non-blocking operations before are complete

#include <vector>

#include "test/litmus/program.hpp"

namespace far::litmus {

/// Shapes of blocking and non-blocking words, atomics and transfers. One thread of a shape takes
/// all patterns in turn, while the others take a few that represent the rest.
[[nodiscard]] std::vector<program> classic_programs();

/// A put with a signal, with and without another put before it.
[[nodiscard]] std::vector<program> signal_programs();

/// Read-modify-writes: against each other, against other changes, and within the shapes.
[[nodiscard]] std::vector<program> update_programs();

/// All of them.
[[nodiscard]] std::vector<program> all_programs();

}  // namespace far::litmus
