#pragma once
// A hash table over all ranks.

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <typeinfo>

#include "far/base/hash.hpp"
#include "far/containers/agreement.hpp"
#include "far/containers/directory.hpp"
#include "far/containers/hash_map_view.hpp"
#include "far/containers/map_part.hpp"
#include "far/team/team.hpp"
#include "far/world/world.hpp"

namespace far {

/// A map from K to V whose keys are spread over the ranks by their hash. Each rank keeps its part
/// in private memory, which grows as needed, and runs the operations on it for the others, by
/// RPC; any K and V that travel (far/rpc/serialize.hpp) will do. K has ==, and equal keys have
/// equal hashes on every rank (far::hash has; std::hash need not).
///
///     far::hash_map<std::string, int> counts(world);
///     counts.update_or_insert("word", 1, [](int& n, int more) { n += more; });
///     counts.update_or_insert_all(keys, 1, [](int& n, int more) { n += more; });
///     if (auto n = counts.find("word")) ...
///     for (auto [word, n] : counts.local()) ...
///
/// The operations are hash_map_view's, on this rank's own thread; on(view) gives another thread
/// its view. The constructor, the destructor, size and clear are collective: one thread of each
/// rank calls them, in the same order with other collective calls.
///
/// Ownership: futures may outlive the map's last use of them, but all must be ready before the
/// map goes, or they end with fabric_error.
/// Threads: operations from any thread of any rank, through views, at the same time.
/// Checked by: hash_map_test.equals_an_oracle, hash_map_test.threads_share_a_rank,
/// hash_map_test.grows
template <class K, class V, class Hash = hash<K>>
class hash_map : public hash_map_view<K, V, Hash> {
  using part_type = containers::map_part<K, V, Hash>;

  /// This rank's part, in the directory while this lives.
  struct registration {
    containers::directory* directory;
    std::shared_ptr<part_type> part;
    containers::object_id id;

    explicit registration(const world& view)
        : directory(&view.state().get<containers::directory>()),
          part(std::make_shared<part_type>()),
          id(directory->add(part)) {
      part->table.set_salt(id);  // no message comes before all have agreed
    }
    ~registration() { directory->remove(id); }
    registration(const registration&) = delete;
    registration& operator=(const registration&) = delete;
  };

 public:
  using view_type = hash_map_view<K, V, Hash>;

  /// Collective. Returns when the map is there on every rank.
  /// Errors: bad_argument if ranks make different maps; rank_failed.
  /// Checked by: hash_map_test.maps_come_and_go
  explicit hash_map(const world& view) : hash_map(view, std::make_unique<registration>(view)) {
    containers::agree_on_object(view, this->id_, typeid(part_type).name());
  }

  /// Collective, unless an exception is on its way. Returns when no rank uses the map any more.
  ~hash_map() { containers::leave_together(this->view_, exceptions_); }
  hash_map(const hash_map&) = delete;
  hash_map& operator=(const hash_map&) = delete;

  /// The view of another thread of this rank.
  [[nodiscard]] view_type on(const world& view) const noexcept {
    return view_type(view, *this->part_, this->id_);
  }

  /// Collective: the number of keys, of all ranks. Exact unless operations are under way: those
  /// that were complete when their rank came here count.
  /// Checked by: hash_map_test.equals_an_oracle
  [[nodiscard]] std::size_t size() const {
    barrier(this->view_);
    return allreduce(this->view_, this->local_size(), std::plus<>());
  }

  /// Collective: forgets all keys. Operations that other ranks or threads start at the same time
  /// may be forgotten or not.
  void clear() const {
    barrier(this->view_);
    {
      const typename part_type::lock lock(*this->part_);
      this->part_->table.clear();
    }
    barrier(this->view_);
  }

 private:
  hash_map(const world& view, std::unique_ptr<registration> mine)
      : view_type(view, *mine->part, mine->id), registration_(std::move(mine)) {}

  std::unique_ptr<registration> registration_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace far
