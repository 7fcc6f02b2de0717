#pragma once
// An asynchronous PMIx call that may depend on other machines. Waits for its end can time out.

#include <pmix.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace far::fabric::ucx {

/// A thread of PMIx reports its end, perhaps long after the wait has timed out. The caller and PMIx
/// share ownership; the last of the two destroys it. Any thread may wait.
class pmix_call {
 public:
  /// Starts a fence of all ranks of the job. `collects`: also sends what they have put to each
  /// machine.
  static std::shared_ptr<pmix_call> fence(bool collects);
  /// Starts to get the bytes that a rank has put under a key.
  static std::shared_ptr<pmix_call> get(const pmix_proc_t& who, const std::string& key);

  pmix_call() = default;
  ~pmix_call() { PMIX_INFO_DESTRUCT(&collect_); }
  pmix_call(const pmix_call&) = delete;
  pmix_call& operator=(const pmix_call&) = delete;

  /// Returns the call's status, or nothing if it does not end within limit_s seconds (0: no limit).
  [[nodiscard]] std::optional<pmix_status_t> wait(std::uint64_t limit_s);
  /// The bytes that get() has read. Valid after wait() has returned success.
  [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

 private:
  using share = std::unique_ptr<std::shared_ptr<pmix_call>>;

  static share share_of(void* data);
  void note_start(pmix_status_t status, share theirs);
  void end(pmix_status_t status);

  std::mutex lock_;
  std::condition_variable news_;
  std::optional<pmix_status_t> status_;
  std::vector<std::byte> bytes_;
  // PMIx may read these arguments until the call ends.
  pmix_info_t collect_{};
  pmix_proc_t who_{};
  std::string key_;
};

}  // namespace far::fabric::ucx
