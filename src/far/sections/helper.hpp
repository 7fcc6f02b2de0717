#pragma once
// The helper's side of host-assisted transfers, and the origin's answer to a helper. They run on
// lane 0, in whatever thread makes progress, and neither copy nor wait.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "far/rma/future.hpp"
#include "far/rpc/landed_call.hpp"
#include "far/sections/plan.hpp"
#include "far/sections/remote_side.hpp"
#include "far/world/world.hpp"

namespace far::sections {

/// The puts of this rank whose targets may ask for their bytes. Threads: any.
class open_puts {
 public:
  explicit open_puts(rank_state&) {}

  /// An entry, which is removed when the result is dropped.
  class entry {
   public:
    entry(rank_state& state, const plan& what);
    ~entry();
    entry(const entry&) = delete;
    entry& operator=(const entry&) = delete;
    [[nodiscard]] std::uint64_t name() const noexcept { return name_; }

   private:
    fabric::fabric* fabric_;
    open_puts* all_;
    std::uint64_t name_;
  };

  /// The pieces of the local side of bytes begin .. end-1.
  /// Errors: fabric_error if there is no such put, or it is shorter.
  [[nodiscard]] std::vector<fabric::gather> pieces(std::uint64_t name, std::uint64_t begin,
                                                   std::uint64_t end);

 private:
  std::mutex lock_;
  std::map<std::uint64_t, plan> plans_;
  std::uint64_t last_ = 0;
};

namespace helper {

/// A get: what the answer gathers.
[[nodiscard]] detail::gathered gather(rank_state& here, const remote_slice& from);
/// A put: posts a scatter, and asks `origin` for the bytes begin .. end-1 of its put `name`.
[[nodiscard]] future<void> scatter(const world& world, const remote_slice& to, int origin,
                                   std::uint64_t name);
/// The origin's answer to that.
[[nodiscard]] detail::gathered gather_put(rank_state& here, std::uint64_t name, std::uint64_t begin,
                                          std::uint64_t end);
/// A get where no interface gathers: a put for each segment.
[[nodiscard]] future<void> put_segments(const world& world, const remote_slice& from,
                                        const remote_slice& to);

}  // namespace helper
}  // namespace far::sections
