#pragma once
// This JVM's rank of a job, and what its Java threads use of the object space.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <far/far.hpp>
#include <far/object/object.hpp>
#include <far/object/part.hpp>
#include <far/object/thread_access.hpp>

namespace far::java {

/// Made once, when the run time joins the job. It lives as long as the process.
///
/// Threads: `data` is used by one thread at a time, under a lock of Java's. Each of `threads` is
/// used by one Java thread at a time, which has taken it from a pool, and between its calls it is
/// outside of the space, so that collections do not wait for it. The rest, by the thread that has
/// joined the job.
class rank {
 public:
  explicit rank(const object_space_options& options);
  rank(const rank&) = delete;
  rank& operator=(const rank&) = delete;

  [[nodiscard]] const far::world& world() noexcept { return job_.world(); }
  [[nodiscard]] const far::world& data_world() const noexcept { return data_.world(); }
  [[nodiscard]] objects::thread_access& data() noexcept { return data_; }
  [[nodiscard]] objects::part& part() noexcept { return *part_; }
  std::uint64_t made_bytes = 0;  ///< since the last collection; as `data`
  void barrier() { far::barrier(job_.world()); }

  [[nodiscard]] int threads() const noexcept { return static_cast<int>(threads_.size()); }
  void enter(int slot, objects::place object);
  void exit(int slot, objects::place object);

  /// Types live as long. The address is what Java knows them by.
  const objects::type_descriptor* add_type(std::string name, std::size_t size,
                                           std::vector<objects::cell> cells);

  /// A message of three words to a rank, in the order of sending. Waits while its queue is full.
  struct message {
    std::uint64_t kind;
    std::uint64_t a;
    std::uint64_t b;
  };
  void post(int slot, int to, const message& m);
  /// Waits for the next one to this rank.
  message take(int slot);

 private:
  far::job job_;
  std::shared_ptr<objects::part> part_;
  std::vector<std::unique_ptr<fabric::context>> contexts_;
  objects::thread_access data_;
  std::deque<objects::thread_access> threads_;
  std::vector<objects::place> queues_;  ///< by rank
  std::deque<std::string> names_;
  std::deque<objects::type_descriptor> types_;
};

}  // namespace far::java
