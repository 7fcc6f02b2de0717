#pragma once
// What homes do for callers. These functions run in handlers of the home's rank and do not wait:
// where a part is in use, they say so, and the caller comes again.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "far/homes/registry.hpp"
#include "far/rma/future.hpp"
#include "far/store/copies.hpp"
#include "far/store/part_walk.hpp"
#include "far/store/request.hpp"
#include "far/store/store_part.hpp"
#include "far/world/world.hpp"

namespace far::stores {

/// What a home answers.
enum class outcome : std::uint8_t {
  done,
  busy,    ///< come again
  shared,  ///< others have copies; ask for their recall
};

struct answer {
  outcome how = outcome::busy;
  store_reply reply;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(how, reply);
  }
};

struct read_answer {
  bool is_busy = false;
  bool is_there = false;
  bool is_copy = false;
  stored_item item;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(is_busy, is_there, is_copy, item.info, item.value);
  }
};

/// A change in memory that is mapped here, under the part's lock. `is_recalled`: nobody has a copy.
[[nodiscard]] answer execute_locked(const fabric::fabric& rank, const store_part& of, int home,
                                    const store_request& asked, bool is_recalled);

[[nodiscard]] answer serve(rank_state& state, homes::object_id id, const request_terms& terms,
                           const std::string& key, const std::string& value);
/// The same after a recall of all copies.
[[nodiscard]] future<answer> serve_with_recall(world& lane, homes::object_id id,
                                               const request_terms& terms, const std::string& key,
                                               const std::string& value);
[[nodiscard]] read_answer serve_read(rank_state& state, homes::object_id id,
                                     const std::string& key);
/// The same, and rank `reader` may keep a copy if the answer says so.
[[nodiscard]] read_answer serve_copy(rank_state& state, homes::object_id id, int reader,
                                     const std::string& key);

struct wire_request {
  request_terms terms;
  std::string key;
  std::string value;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(terms, key, value);
  }
};
[[nodiscard]] std::vector<answer> serve_many(rank_state& state, homes::object_id id,
                                             const std::vector<wire_request>& asked);
[[nodiscard]] std::vector<read_answer> serve_read_many(rank_state& state, homes::object_id id,
                                                       const std::vector<std::string>& keys);

[[nodiscard]] store_counts serve_counts(rank_state& state, homes::object_id id);
/// Whether it was done.
[[nodiscard]] bool serve_reset_counts(rank_state& state, homes::object_id id);
[[nodiscard]] future<bool> serve_erase_all(world& lane, homes::object_id id);

/// A step of a walk (part_walk.hpp) through this rank's part; nothing if it is in use.
[[nodiscard]] std::optional<std::uint64_t> try_walk(const fabric::fabric& rank,
                                                    const store_part& of, std::uint64_t cursor,
                                                    item_visit visit);
/// A sweep of this rank's part; nothing if it is in use.
[[nodiscard]] std::optional<std::uint64_t> try_sweep(const fabric::fabric& rank,
                                                     const store_part& of);

}  // namespace far::stores
