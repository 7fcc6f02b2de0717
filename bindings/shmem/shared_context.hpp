#pragma once
// A context for a thread for which the fabric has none left: several of them stand for one context
// of the fabric, which their threads use in turns. Who waits lets the others use it meanwhile, so
// threads may wait for each other, and for threads of other PEs that share a context, too.
//
// Completions belong to the common context: any of the threads may end them, in its progress. So
// they are read with the mutex held, as all of the fabric's context is used.

#include <memory>
#include <mutex>
#include <span>

#include <far/fabric/context.hpp>

namespace far::shmem {

/// The context of the fabric, and what its users lock. Recursive: the condition of a wait may send.
struct common_context {
  explicit common_context(std::unique_ptr<fabric::context> opened) : own(std::move(opened)) {}

  std::recursive_mutex mutex;
  /// To be closed before the contexts that stand for it are destroyed: their attachments exist for
  /// as long as operations that they have started.
  std::unique_ptr<fabric::context> own;
};

/// Waits look again in naps, which grow with the time waited, up to 1 ms: nothing wakes them.
class shared_context final : public fabric::context {
 public:
  explicit shared_context(common_context& common) noexcept;

  void put(std::span<const fabric::put_part> parts, fabric::completion* done,
           fabric::completion* source, const fabric::signal* after) override;
  void get(std::span<const fabric::get_part> parts, fabric::completion* done) override;
  void amo(const fabric::amo_request& request, fabric::completion* done) override;
  void flush(int rank, fabric::completion* done) override;
  bool try_send(const fabric::send_request& message) override;
  void reply(const fabric::reply_token& token, fabric::payload inline_bytes,
             std::span<const fabric::gather> data) override;
  bool progress() override;
  bool wait(base::function_ref<bool()> ready, fabric::deadline_ns deadline,
            const fabric::wait_reason& reason) override;
  void wait(fabric::completion& done, const fabric::wait_reason& reason) override;
  void pause(fabric::backoff& state) override;
  void await_turn(fabric::turn& state) override;
  void compute(std::uint64_t duration_ns) override;
  [[nodiscard]] std::uint64_t peek(fabric::address word) const override;

 private:
  void defer(int lane_index, fabric::task work) override;
  /// After `looks` looks that saw nothing.
  static void rest(std::uint32_t looks);

  common_context* common_;
};

}  // namespace far::shmem
