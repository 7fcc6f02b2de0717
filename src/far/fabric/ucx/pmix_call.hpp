#pragma once
// A call of PMIx that may wait for other machines, and for which nobody has to wait for ever.

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

/// A thread of PMIx tells its end, perhaps long after the wait for it was given up: whoever of the
/// two is last lets go of it. Any thread may wait.
class pmix_call {
 public:
  /// Of all ranks of the job. `collects`: what they have put is brought to each machine.
  static std::shared_ptr<pmix_call> fence(bool collects);
  /// The bytes that a rank has put under a key.
  static std::shared_ptr<pmix_call> get(const pmix_proc_t& who, const std::string& key);

  pmix_call() = default;
  ~pmix_call() { PMIX_INFO_DESTRUCT(&collect_); }
  pmix_call(const pmix_call&) = delete;
  pmix_call& operator=(const pmix_call&) = delete;

  /// How it has ended; nothing: not within so many seconds (0: waits for ever).
  [[nodiscard]] std::optional<pmix_status_t> wait(std::uint64_t limit_s);
  /// What was got. After a wait that says that all went well.
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
  // PMIx may read its arguments until the end.
  pmix_info_t collect_{};
  pmix_proc_t who_{};
  std::string key_;
};

}  // namespace far::fabric::ucx
