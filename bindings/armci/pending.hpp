#pragma once
// Non-blocking operations that are in flight, by handle.

#include <unordered_map>
#include <vector>

#include "armci.h"
#include "far/rma/future.hpp"

namespace far::armci {

/// A handle in flight has a number, kept in its field `target`. A handle that was never initialized
/// may happen to have the number of another: then it is waited for more than is necessary.
class pending {
 public:
  /// Adds an operation to a handle, or, if that is null, to those without one.
  void add(armci_hdl_t* handle, int proc, future<void> started);

  /// These rethrow what an operation has thrown.
  void wait(const armci_hdl_t& handle);
  void wait_proc(int proc);
  void wait_all();
  /// Whether all operations of the handle are complete. Makes no progress.
  [[nodiscard]] bool is_complete(const armci_hdl_t& handle) const;

 private:
  struct operation {
    int proc;
    future<void> done;
  };

  [[nodiscard]] int unused_number();

  int last_number_ = 0;
  std::unordered_map<int, std::vector<operation>>
      by_number_;  ///< 0: without a handle; none is empty
};

}  // namespace far::armci
