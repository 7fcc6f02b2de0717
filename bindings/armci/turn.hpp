#pragma once
// Calls of several threads take turns. They use one world, which is one thread's view of its rank;
// and most of them are short, compared with what a program does between them.
//
// A call that waits for other ranks to call something, or for a mutex, lets the process's other
// threads have their turns meanwhile: others may wait for what those do. So only transfers, which
// need nobody's calls, are waited for inside a turn. test/armci/armci_threads.c tries it.

#include <mutex>

namespace far::armci {

/// The body of a call. Costs nothing unless MPI was initialized for several threads at a time.
class turn {
 public:
  turn();
  /// To be called once MPI is initialized: whether threads take turns from now on.
  static void ask_mpi();
  [[nodiscard]] static bool is_needed() noexcept;

 private:
  std::unique_lock<std::recursive_mutex> held_;
};

/// While it lives, other threads have their turns.
class out_of_turn {
 public:
  out_of_turn();
  ~out_of_turn();
  out_of_turn(const out_of_turn&) = delete;
  out_of_turn& operator=(const out_of_turn&) = delete;
};

}  // namespace far::armci
