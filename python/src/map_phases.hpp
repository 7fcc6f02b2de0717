#pragma once
// A map and the phase that it is in.

#include <memory>
#include <utility>
#include <vector>

#include "session.hpp"

namespace far::python {

template <class K, class V>
class held_map final : public structure {
 public:
  using map = hash_map<K, V>;

  template <class... Args>
  held_map(const far::world& world, bool is_shared, Args... args)
      : it(world, args...), near_(static_cast<std::size_t>(world.size())) {
    // Instructions reach this rank's part, and if the map is shared, those of its machine.
    for (int rank = 0; rank < world.size(); ++rank) {
      const bool is_near =
          is_shared ? world.node_of(rank) == world.node_of(world.rank()) : rank == world.rank();
      near_[static_cast<std::size_t>(rank)] = is_near;
    }
  }

  /// Whether operations on the key need no message.
  [[nodiscard]] bool is_near(const K& key) const {
    return near_[static_cast<std::size_t>(it.owner(key))];
  }
  [[nodiscard]] bool is_in_phase() const noexcept { return reading_ || writing_; }

  /// Collective. Errors: bad_argument in a phase.
  void begin(bool reads) {
    if (is_in_phase()) throw bad_argument("this map is in a phase already");
    if (reads) {
      reading_.reset(new auto(it.reading()));
    } else {
      writing_.reset(new auto(it.writing()));
    }
  }
  /// Collective, unless it has failed.
  void end(bool has_failed) {
    if (!has_failed) {
      reading_.reset();
      writing_.reset();
      return;
    }
    struct failed {};
    try {
      // A phase whose scope an exception leaves waits for nobody.
      const auto ended_here = std::pair(std::move(reading_), std::move(writing_));
      throw failed();
    } catch (const failed&) {
    }
  }

  /// Calls f(view).
  template <class F>
  auto look_up(const far::world& world, F f) {
    if (writing_) throw bad_argument("this map is in a phase of changes: no keys are looked up");
    return reading_ ? f(*reading_) : f(it.on(world));
  }
  template <class F>
  auto change(const far::world& world, F f) {
    if (reading_) throw bad_argument("this map is in a phase of reading: nothing is changed");
    return writing_ ? f(*writing_) : f(it.on(world));
  }

  map it;

 private:
  std::vector<std::uint8_t> near_;  // by rank
  std::unique_ptr<decltype(std::declval<map&>().reading())> reading_;
  std::unique_ptr<decltype(std::declval<map&>().writing())> writing_;
};

}  // namespace far::python
