#include "far/team/collective_scope.hpp"

#include <cstdint>
#include <stdexcept>

#include <gtest/gtest.h>

#include "far/far.hpp"
#include "test/support/jobs.hpp"

namespace far {
namespace {

using collective_scope_test = test::on_ranks;

/// A distributed object that calls leave() in its destructor.
struct object {
  const world& view;
  collective_scope scope = {};

  ~object() { scope.leave(view); }
};

struct finishing_object {
  const world& view;
  collective_scope scope = {};

  ~finishing_object() {
    scope.leave(view, [] { ADD_FAILURE() << "not all are here"; });
  }
};

/// Two words on each rank.
class words {
 public:
  explicit words(const world& world) : world_(world), words_(allocate<int>(world, 2)) {
    barrier(world);
  }

  /// Rank `to` sees `value` after the next barrier.
  void tell(int to, int index, int value) const { put(world_, words_.on(to) + index, value); }
  [[nodiscard]] int told(int index) const { return get(world_, words_.on(world_.rank()) + index); }

 private:
  world world_;
  ptr<int> words_;
};

TEST_P(collective_scope_test, leaves_when_all_are_there) {
  run([](world& w) {
    const words told(w);
    {
      const object all{w};
      told.tell((w.rank() + 1) % w.size(), 0, 7);
    }
    EXPECT_EQ(told.told(0), 7);
  });
}

TEST_P(collective_scope_test, finishes_when_all_are_there) {
  run([](world& w) {
    const words told(w);
    const int next = (w.rank() + 1) % w.size();
    const collective_scope scope;
    told.tell(next, 0, 7);
    scope.leave(w, [&] {
      EXPECT_EQ(told.told(0), 7);
      told.tell(next, 1, 8);
    });
    EXPECT_EQ(told.told(1), 8);
  });
}

// The other ranks call no barrier before rank 0 has left its scope.
TEST_P(collective_scope_test, waits_for_nobody_while_an_exception_is_on_its_way) {
  run([](world& w) {
    const auto freed = allocate<std::uint64_t>(w);
    barrier(w);
    if (w.rank() == 0) {
      try {
        const object alone{w};
        throw std::runtime_error("on purpose");
      } catch (const std::runtime_error&) {
      }
      try {
        const finishing_object alone{w};
        throw std::runtime_error("on purpose");
      } catch (const std::runtime_error&) {
      }
      for (int r = 1; r < w.size(); ++r) notify(w, signal_of(freed.on(r), 1));
    } else {
      wait_signal(w, freed, at_least{1});
    }
  });
}

/// Constructs an object in its destructor.
struct maker {
  const world& view;
  const words& told;

  ~maker() {
    const object all{view};
    EXPECT_FALSE(all.scope.is_unwinding());
    told.tell((view.rank() + 1) % view.size(), 0, 7);
  }
};

TEST_P(collective_scope_test, older_exceptions_do_not_count) {
  run([](world& w) {
    const words told(w);
    try {
      const maker last{w, told};
      throw std::runtime_error("on purpose");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(told.told(0), 7);
  });
}

INSTANTIATE_FAR_MODES(collective_scope_test);

}  // namespace
}  // namespace far
