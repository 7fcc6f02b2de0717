#pragma once
// What libfar asks of PMIx: who is in the job, and a place to leave words for the others.

#include <pmix.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace far::fabric::ucx {

/// This process's membership in the job that mpirun, srun or prun has started. A process has one
/// at most. Every call may wait for the launcher's server. Errors: fabric_error.
class pmix_session {
 public:
  pmix_session();
  ~pmix_session();
  pmix_session(const pmix_session&) = delete;
  pmix_session& operator=(const pmix_session&) = delete;

  /// The process's own; null: it has none.
  [[nodiscard]] static pmix_session* current() noexcept { return current_; }

  [[nodiscard]] int rank() const noexcept { return static_cast<int>(self_.rank); }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// Ranks of the job on this machine.
  [[nodiscard]] int local_size() const noexcept { return local_size_; }

  /// Names are of one job; the next begins.
  void next_job() noexcept { ++job_; }
  /// Leaves bytes under a name of this rank, for all that come to the next exchange.
  void put(const std::string& name, std::span<const std::byte> bytes);
  /// Collective: what all have put can be got.
  void exchange();
  /// Collective: returns once all have come.
  void meet();
  [[nodiscard]] std::vector<std::byte> get(int rank, const std::string& name) const;

 private:
  [[nodiscard]] int number_of(const char* key) const;
  [[nodiscard]] std::string key_of(const std::string& name) const;

  static inline pmix_session* current_ = nullptr;

  pmix_proc_t self_{};
  int size_ = 0;
  int local_size_ = 0;
  int job_ = 0;
};

}  // namespace far::fabric::ucx
