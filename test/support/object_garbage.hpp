#pragma once
// Programs that make objects, move references between objects of all ranks, and lose them, while
// any thread may collect.
//
// A reference to a vertex has the vertex's number beside it. So whoever follows one knows whether
// it still leads to the object that it was made for. Numbers are never used twice.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "far/base/random.hpp"
#include "far/object/object_space.hpp"
#include "far/object/rooted.hpp"

namespace far::test {

struct vertex {
  static constexpr std::size_t edges = 2;

  std::uint64_t number = 0;           ///< like `same`, written before others get the reference
  std::array<ref<vertex>, edges> to;  ///< guarded by the vertex's monitor, as `numbers`
  std::array<std::uint64_t, edges> numbers{};
  std::uint64_t same = 0;
};

}  // namespace far::test

template <>
struct far::object_type<far::test::vertex>
    : far::object_fields<far::test::vertex, &far::test::vertex::number, &far::test::vertex::to,
                         &far::test::vertex::numbers, &far::test::vertex::same> {};

namespace far::test {

class object_garbage {
 public:
  /// Each rank's first vertex has a name.
  explicit object_garbage(object_space& space) : space_(&space) {
    const std::uint64_t number = number_of(space.world().rank(), 0, 0);
    space.set_root(name(space.world().rank()), space.make<vertex>(number, no_edges, none, number));
    space.barrier();
  }

  void run(object_view& view, std::uint64_t seed, int steps) const {
    thread(view, seed).run(steps);
  }

  /// At the end, by each rank's own thread: nothing is left.
  void check_all() const {
    space_->barrier();
    space_->set_root(name(space_->world().rank()), ref<vertex>());
    space_->barrier();
    space_->collect();
    space_->barrier();
    // One that a thread was just leaving the monitor of may be left to a second collection.
    space_->collect();
    space_->barrier();
    expect(space_->collections().live_objects == 0, "garbage is left after two collections");
    space_->barrier();
  }

 private:
  static constexpr std::array<ref<vertex>, vertex::edges> no_edges{};
  static constexpr std::array<std::uint64_t, vertex::edges> none{};

  static std::string name(int rank) { return "vertex" + std::to_string(rank); }
  static std::uint64_t number_of(int rank, int thread, std::uint64_t count) {
    return (static_cast<std::uint64_t>(rank * 8 + thread + 1) << 32) + count;
  }
  static void expect(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  }

  class thread {
   public:
    thread(object_view& view, std::uint64_t seed)
        : view_(&view),
          choices_(base::mix(seed) + number_of(view.world().rank(), view.world().thread(), 0)),
          held_(2, kept{rooted<vertex>(view), 0}) {}

    void run(int steps) {
      for (kept& k : held_) begin_anew(k);
      for (int i = 0; i < steps; ++i) step(held_[choices_.below(held_.size())]);
    }

   private:
    struct kept {
      rooted<vertex> at;
      std::uint64_t number;
    };

    void step(kept& k) {
      kept& other = held_[choices_.below(held_.size())];
      const std::size_t edge = choices_.below(vertex::edges);
      switch (choices_.below(12)) {
        case 0:
          return begin_anew(k);
        case 1:
        case 2:
          return make(k, other);
        case 3:
        case 4: {
          const auto lock = view_->lock(k.at);
          vertex& v = view_->write(k.at);
          v.to[edge] = other.at;
          v.numbers[edge] = other.number;
          return;
        }
        case 5:
          return look(k);
        case 6:
          return view_->collect();
        case 7:
        case 8:
          return enter_alone(k);
        case 9:
        case 10:
          return follow(k, edge, true);
        default:
          return follow(k, edge, false);
      }
    }

    void check(ref<vertex> at, std::uint64_t number) {
      const vertex& v = view_->read(at);
      expect(v.number == number && v.same == number, "an object is lost that a thread can reach");
    }
    void begin_anew(kept& k) {
      const int rank =
          static_cast<int>(choices_.below(static_cast<std::uint64_t>(view_->world().size())));
      k.at = view_->root<vertex>(name(rank));
      k.number = number_of(rank, 0, 0);
      check(k.at, k.number);
    }
    void make(kept& k, const kept& other) {
      const std::uint64_t number =
          number_of(view_->world().rank(), view_->world().thread(), ++made_);
      const std::array<ref<vertex>, vertex::edges> to{k.at, other.at};
      k.at = nullptr;
      k.at = view_->make<vertex>(number, to, std::array{k.number, other.number}, number);
      k.number = number;
    }
    /// So often that this rank may keep its copy.
    void look(const kept& k) {
      for (int i = 0; i < 7; ++i) {
        view_->refresh();
        check(k.at, k.number);
      }
    }
    /// Goes to the vertex at an edge, which may be its last reference, and leaves it there or not.
    void follow(kept& k, std::size_t edge, bool takes) {
      {
        const auto lock = view_->lock(k.at);
        const vertex& v = view_->read(k.at);
        if (!v.to[edge]) return;
        const ref<vertex> from = k.at;
        k.number = v.numbers[edge];
        k.at = v.to[edge];
        if (takes) view_->write(from).to[edge] = nullptr;
      }
      check(k.at, k.number);
    }
    /// Nothing but the monitor keeps the vertex.
    void enter_alone(kept& k) {
      const ref<vertex> at = k.at;
      const std::uint64_t number = k.number;
      k.at = nullptr;
      {
        auto lock = view_->lock(at);
        const std::uint64_t what = choices_.below(3);
        if (what == 0) view_->collect();
        if (what == 1) {
          (void)lock.monitor().wait_for(std::chrono::nanoseconds(choices_.below(100000)));
        }
        check(at, number);
        const vertex v = view_->read(at);
        for (std::size_t e = 0; e < vertex::edges; ++e) {
          if (v.to[e]) check(v.to[e], v.numbers[e]);
        }
      }
      begin_anew(k);
    }

    object_view* view_;
    base::random choices_;
    std::vector<kept> held_;
    std::uint64_t made_ = 0;
  };

  object_space* space_;
};

}  // namespace far::test
