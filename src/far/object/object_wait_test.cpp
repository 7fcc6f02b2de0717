// How a thread waits for a word that a home may open.

#include <cstdint>
#include <mutex>

#include <gtest/gtest.h>

#include "far/memory/allocate.hpp"
#include "far/object/copy/update_word.hpp"
#include "far/object/object_space.hpp"
#include "far/object/object_test.hpp"
#include "far/object/part.hpp"
#include "far/rma/transfer.hpp"
#include "test/support/jobs.hpp"

namespace {

using far::objects::update_word;

class object_wait_test : public far::test::on_ranks {};

/// The home opens a word, so that it cannot be closed, and gives it back before the thread that
/// tried looks at it again. There is no change to wait for.
TEST_P(object_wait_test, a_word_given_back_before_the_wait_is_seen) {
  run([](far::world& world) {
    far::object_space space(world, far::test::small_space);
    auto& part = *space.shared_part();
    const auto word = far::allocate_local<std::uint64_t>(world);
    far::put(world, word, update_word::value(1, update_word::state::ready));
    int tries = 0;
    std::unique_lock lock(part.mutex);
    far::objects::wait_for_change(
        part, lock, world, "a copy of an object", world.rank(), [] { return true; },
        [&] { return ++tries == 2; }, word.address());
    lock.unlock();
    EXPECT_EQ(tries, 2);
    far::deallocate_local(world, word);
    space.barrier();
  });
}

INSTANTIATE_FAR_MODES_ON(object_wait_test, 1, 2);

}  // namespace
