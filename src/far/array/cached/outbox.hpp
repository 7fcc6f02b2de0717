#pragma once
// What a step of the coherence protocol has to send. Steps run under the part's mutex and only
// note it; flush sends it afterwards, without the mutex.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "far/array/cached/access.hpp"
#include "far/array/cached/locality.hpp"
#include "far/fabric/message.hpp"

namespace far::cached {

struct part;

/// To the home: this rank wants a right, or (right::none) gives up what it has.
struct want {
  int home = 0;
  std::uint64_t chunk = 0;
  right what = right::none;
  const operation* op = nullptr;  ///< of right::operate
  fabric::address line;           ///< for data that do not fit in a message
  std::uint64_t number = 0;       ///< of this request; the rank uses each number once
  std::uint64_t copy = 0;         ///< the number by which it has read the chunk; 0: it has no copy
  bool may_choose = false;        ///< the home may grant right::direct instead; or if that is
                                  ///< wanted, nothing, so that the chunk is cached
  fill_report report = {};        ///< about the chunk's region
};

/// From the home: a right for `rank`, and the chunk's data if it has none yet. right::none: not the
/// right to access the home's memory, which the request left to the home's choice.
struct grant {
  int rank = 0;
  std::uint64_t chunk = 0;
  right what = right::none;
  bool with_data = false;
  fabric::address line;
  std::uint64_t number = 0;  ///< of the request
};

/// From the home: `rank` must give up `from` and may keep `keep`. `eviction`: as the rank itself
/// has asked for; it may refuse, since it may need the chunk again by now.
struct recall {
  int rank = 0;
  std::uint64_t chunk = 0;
  right from = right::none;
  right keep = right::none;
  bool eviction = false;
  std::uint64_t number = 0;  ///< of the request by which it got the right
};

/// The answer to a recall. Its data are in a slot of the cache, which is freed afterwards, or in
/// memory of its own.
struct recall_answer {
  fabric::reply_token token;
  const std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::unique_ptr<std::byte[]> own;
  int freed_slot = -1;
  bool refused = false;  ///< an eviction: nothing is given up
};

struct outbox {
  std::vector<want> wants;
  std::vector<grant> grants;
  std::vector<recall> recalls;
  std::vector<recall_answer> answers;
  std::vector<std::uint64_t> revoked_at_home;  ///< chunks whose home may continue
  bool changed = false;                        ///< wake threads that wait for a chunk or a slot

  [[nodiscard]] bool is_empty() const noexcept {
    return wants.empty() && grants.empty() && recalls.empty() && answers.empty() &&
           revoked_at_home.empty() && !changed;
  }
  /// Sends everything. On a thread's context this may wait for credit; on a lane's it never waits.
  /// Grants and recalls go out on a lane's context only, because their completions must run
  /// whether or not a thread makes progress.
  void flush(part& of, fabric::context& context);
};

}  // namespace far::cached
