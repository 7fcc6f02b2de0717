#pragma once
// Generated programs of monitors and fields, without data races, and what each of their reads must
// return.
//
// Fields of one object have different guards: some the object's own monitor, some another object's.
// One field belongs to whoever owns the object, a thread that has noted so under the monitor and
// then needs none. Objects hang on each other, and new ones are made. So a read must return what
// the last write to its field has left, in the order that the monitors give; `shadows` has that
// value. It is memory of the test's process: ranks are threads or fibers.

#include <array>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "far/base/random.hpp"
#include "far/object/object_space.hpp"

namespace far::test {

struct thing {
  std::uint64_t wide = 0;      ///< guarded by the thing's own monitor
  std::uint32_t narrow = 0;    ///< the same
  std::uint8_t tiny = 0;       ///< by the monitor of the thing's neighbour
  std::uint16_t owner = 0;     ///< by its own: a thread's number, or 0
  std::uint64_t far_wide = 0;  ///< as tiny
  std::uint64_t owned = 0;     ///< only its owner accesses it
  ref<thing> next;             ///< by its own; what hangs there has the same guard
};

}  // namespace far::test

template <>
struct far::object_type<far::test::thing>
    : far::object_fields<far::test::thing, &far::test::thing::wide, &far::test::thing::narrow,
                         &far::test::thing::tiny, &far::test::thing::owner,
                         &far::test::thing::far_wide, &far::test::thing::owned,
                         &far::test::thing::next> {};

namespace far::test {

/// What all threads of all ranks share. Each monitor guards its part of it, too.
struct shadows {
  static constexpr int things = 2;

  std::array<thing, things> of;
  std::array<std::uint64_t, things> hanging{};  ///< `wide` of what hangs on each thing
  base::random choices{0};                      ///< in a simulation; drawn from in any order
};

class object_program {
 public:
  object_program(object_space& space, shadows& all) : space_(&space), all_(&all) {
    if (space.world().rank() == 0) all = {};
    space.barrier();
    for (int k = 0; k < shadows::things; ++k) {
      if (k % space.world().size() == space.world().rank()) {
        space.set_root("thing" + std::to_string(k), space.make<thing>());
      }
    }
    space.barrier();
    for (int k = 0; k < shadows::things; ++k) {
      things_[static_cast<std::size_t>(k)] = space.root<thing>("thing" + std::to_string(k));
    }
  }

  /// One thread's steps.
  void run(object_view& view, int steps) const { thread(*this, view).run(steps); }

  /// At the end, by each rank's own thread: every field has its last value.
  void check_all() const {
    space_->barrier();
    for (std::size_t k = 0; k < shadows::things;) {
      try {
        check(k);
        ++k;
      } catch (const out_of_memory&) {
        space_->refresh();
      }
    }
    space_->barrier();
  }

 private:
  void check(std::size_t k) const {
    const thing& now = space_->read(things_[k]);
    const thing& last = all_->of[k];
    expect(now.wide == last.wide && now.narrow == last.narrow && now.tiny == last.tiny &&
               now.far_wide == last.far_wide && now.owned == last.owned && now.next == last.next,
           "a change is lost at the end");
    if (!now.next) return;
    expect(space_->read(now.next).wide == all_->hanging[k], "a hanging object has a lost change");
  }
  static void expect(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  }

  class thread {
   public:
    thread(const object_program& program, object_view& view)
        : program_(&program),
          all_(program.all_),
          view_(&view),
          own_(base::mix(static_cast<std::uint64_t>(number()))),
          simulated_(view.world().fabric().simulated()) {}

    void run(int steps) {
      for (int i = 0; i < steps; ++i) {
        try {
          step();
        } catch (const out_of_memory&) {
          // More copies in use than fit: the access has not taken place.
        }
      }
      for (std::size_t k = 0; k < shadows::things;) {
        try {
          if (owns_[k]) give_back(k);
          ++k;
        } catch (const out_of_memory&) {
          view_->refresh();
        }
      }
    }

   private:
    [[nodiscard]] int number() const {
      return 1 + view_->world().rank() * 8 + view_->world().thread();
    }
    std::uint64_t draw(std::uint64_t below) {
      return simulated_ ? all_->choices.below(below) : own_.below(below);
    }
    [[nodiscard]] ref<thing> at(std::size_t k) const { return program_->things_[k]; }

    void step() {
      const std::size_t k = draw(shadows::things);
      switch (draw(8)) {
        case 0:
          return owns_[k] ? give_back(k) : take(k);
        case 1:
          view_->publish();
          return;
        case 2:
          view_->refresh();
          return;
        case 3:
          view_->safe_point();
          [[fallthrough]];
        case 4:
          if (owns_[k]) change(view_->write(at(k)).owned, all_->of[k].owned);
          return;
        default:
          return enter(k);
      }
    }

    void take(std::size_t k) {
      const auto lock = view_->lock(at(k));
      const std::uint16_t owner = view_->read(at(k)).owner;
      expect(owner == all_->of[k].owner, "an owner is stale");
      if (owner != 0) return;
      change_to(view_->write(at(k)).owner, all_->of[k].owner, static_cast<std::uint16_t>(number()));
      owns_[k] = true;
    }
    void give_back(std::size_t k) {
      const auto lock = view_->lock(at(k));
      change_to(view_->write(at(k)).owner, all_->of[k].owner, std::uint16_t{0});
      owns_[k] = false;
    }

    void enter(std::size_t k) {
      auto lock = view_->lock(at(k));
      for (std::uint64_t n = draw(4); n-- > 0;) access(k);
      switch (draw(6)) {
        case 0: {
          const auto again = view_->lock(at(k));
          access(k);
          break;
        }
        case 1:
          (void)lock.monitor().wait_for(std::chrono::nanoseconds(1 + draw(1000)));
          break;
        case 2:
          draw(2) == 0 ? lock.monitor().notify() : lock.monitor().notify_all();
          break;
        case 3:
          if (k + 1 < shadows::things) {  // in one direction, so nobody waits for ever
            const auto another = view_->lock(at(k + 1));
            access(k + 1);
            access(k);
          }
          break;
        default:
          break;
      }
      access(k);
    }

    /// Something that k's monitor guards.
    void access(std::size_t k) {
      const std::size_t neighbour = (k + shadows::things - 1) % shadows::things;
      thing& own = all_->of[k];
      thing& other = all_->of[neighbour];
      switch (draw(9)) {
        case 0:
          return change(view_->write(at(k)).wide, own.wide);
        case 1:
          return change(view_->write(at(k)).narrow, own.narrow);
        case 2:
          return change(view_->write(at(neighbour)).tiny, other.tiny);
        case 3:
          return change(view_->write(at(neighbour)).far_wide, other.far_wide);
        case 4:
          return hang(k);
        case 5:
          if (own.next) change(view_->write(view_->read(at(k)).next).wide, all_->hanging[k]);
          return;
        case 6:
          return expect(view_->read(at(neighbour)).far_wide == other.far_wide,
                        "a neighbour's field is stale");
        default: {
          const thing& now = view_->read(at(k));
          expect(now.wide == own.wide && now.narrow == own.narrow, "a field is stale");
          expect(now.next == own.next, "a reference is stale");
          if (now.next) {
            expect(view_->read(now.next).wide == all_->hanging[k], "a hanging object is stale");
          }
        }
      }
    }

    /// Makes an object and hangs it on thing k.
    void hang(std::size_t k) {
      const std::uint64_t value = draw(1000);
      const ref<thing> made = view_->make<thing>();
      view_->write(made).wide = value;
      view_->write(at(k)).next = made;
      all_->of[k].next = made;
      all_->hanging[k] = value;
    }

    template <class Field>
    void change(Field& field, Field& shadow) {
      expect(field == shadow, "a field that is to be changed is stale");
      change_to(field, shadow, static_cast<Field>(field + 1 + draw(3)));
    }
    template <class Field>
    void change_to(Field& field, Field& shadow, Field value) {
      field = value;
      shadow = value;
    }

    const object_program* program_;
    shadows* all_;
    object_view* view_;
    base::random own_;
    bool simulated_;
    std::array<bool, shadows::things> owns_{};
  };

  object_space* space_;
  shadows* all_;
  std::array<ref<thing>, shadows::things> things_;
};

}  // namespace far::test
