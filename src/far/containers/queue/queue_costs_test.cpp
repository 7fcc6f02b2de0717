// The formulas of the queues' costs, compared with what their operations do.

#include "far/containers/queue/queue_costs.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include "far/containers/queue/checksum_user.hpp"
#include "far/containers/queue/ring_phase.hpp"
#include "far/containers/queue/ring_user.hpp"
#include "far/containers/queue/ring_ways.hpp"
#include "far/fabric/copy.hpp"
#include "far/far.hpp"
#include "test/support/counting_context.hpp"

#ifndef FAR_THREAD_SANITIZER  // ThreadSanitizer cannot follow fibers

namespace far::containers {
namespace {

using model::formula;
using test::counting_context;

constexpr std::uint64_t capacity = 4;

/// The cost for a rank that is alone: no word is hot, and its turn comes at once.
formula alone(const formula& cost) {
  formula result = cost.times(model::component::put) * model::W +
                   cost.times(model::component::get) * model::R +
                   cost.times(model::component::message) * model::M;
  const int adds =
      cost.times(model::component::fetch_add) + cost.times(model::component::hot_fetch_add);
  const int swaps = cost.times(model::component::compare_swap) + cost.times(model::component::turn);
  return result + adds * model::A_fao + swaps * model::A_cas;
}

/// A ring at rank 0 that rank 1 uses, while rank 0 waits.
void with_ring(std::uint64_t slot_bytes,
               const std::function<void(const world&, const ring&, counting_context&)>& body) {
  far::run({.ranks = 2, .mode = job_mode::fibers, .profile = "cori-aries"}, [&](world& world) {
    counting_context counts(world.context());
    far::world counted(world.state(), counts);
    const owned_ring there(world, 0, capacity, slot_bytes, sizeof(std::uint64_t), amo_domain::cpu,
                           "a ring of the test");
    body(counted, *there, counts);
    barrier(world);
  });
}

/// The cost of one operation.
class call_counter {
 public:
  explicit call_counter(counting_context& counts) : counts_(counts) {}

  template <class User>
  formula push(User& user) {
    const std::uint64_t value = 7;
    (void)counts_.counted();
    (void)user.try_push(reinterpret_cast<const std::byte*>(&value), 1);
    return counts_.counted();
  }
  template <class User>
  formula pop(User& user) {
    std::uint64_t value = 0;
    (void)counts_.counted();
    (void)user.try_pop(reinterpret_cast<std::byte*>(&value), 1);
    return counts_.counted();
  }

 private:
  counting_context& counts_;
};

TEST(queue_costs_test, formulas_are_what_the_operations_do) {
  namespace costs = queue_costs::concurrent;
  with_ring(8, [](const world& world, const ring& where, counting_context& counts) {
    if (world.rank() != 1) return;
    call_counter cost(counts);
    ring_user first(world, where);
    for (std::uint64_t i = 0; i < capacity; ++i) EXPECT_EQ(cost.push(first), alone(costs::push));
    EXPECT_EQ(cost.push(first), alone(costs::refused));
    EXPECT_EQ(cost.push(first), alone(costs::refused_again));
    EXPECT_EQ(cost.pop(first), alone(costs::pop_looking));
    for (std::uint64_t i = 1; i < capacity; ++i) EXPECT_EQ(cost.pop(first), alone(costs::pop));
    EXPECT_EQ(cost.pop(first), alone(costs::refused));
    EXPECT_EQ(cost.pop(first), alone(costs::refused_again));
    ring_user second(world, where);
    EXPECT_EQ(cost.push(second), alone(costs::push_looking));
    EXPECT_EQ(cost.push(second), alone(costs::push));
  });
}

TEST(queue_costs_test, phases_spare_the_turns) {
  with_ring(8, [](const world& world, const ring& where, counting_context& counts) {
    call_counter cost(counts);
    {
      ring_writer writer(world, where);
      if (world.rank() == 1) {
        EXPECT_EQ(cost.push(writer), alone(queue_costs::writing::push));
        EXPECT_EQ(cost.push(writer), alone(queue_costs::writing::push));
      }
    }
    {
      ring_reader reader(world, where);
      if (world.rank() == 1) {
        EXPECT_EQ(cost.pop(reader), alone(queue_costs::reading::pop));
      }
    }
    if (world.rank() != 0) return;
    ring_local here(world, where);
    EXPECT_EQ(cost.push(here), alone(queue_costs::local::push));
    EXPECT_EQ(cost.pop(here), alone(queue_costs::local::pop));
  });
}

TEST(queue_costs_test, a_call_is_one_message_each_way) {
  with_ring(8, [](const world& world, const ring& where, counting_context& counts) {
    if (world.rank() != 1) return;
    call_counter cost(counts);
    ring_ways caller(world, where, policy::rpc, nullptr);
    EXPECT_EQ(cost.push(caller), queue_costs::call);
    EXPECT_EQ(cost.pop(caller), queue_costs::call);
    EXPECT_EQ(cost.pop(caller), queue_costs::call);  // the queue is empty
  });
}

TEST(queue_costs_test, a_checksum_spares_a_push_its_turn) {
  namespace costs = checksum_costs;
  constexpr std::uint64_t value_bytes = 8;
  with_ring(checked_slot_bytes(value_bytes),
            [](const world& world, const ring& where, counting_context& counts) {
              if (world.rank() != 1) return;
              call_counter cost(counts);
              checksum_user first(world, where, value_bytes);
              for (std::uint64_t i = 0; i < capacity; ++i) {
                EXPECT_EQ(cost.push(first), alone(costs::push));
              }
              EXPECT_EQ(cost.push(first), alone(costs::refused));
              EXPECT_EQ(cost.push(first), alone(costs::refused_again));
              for (std::uint64_t i = 0; i < capacity; ++i) {
                EXPECT_EQ(cost.pop(first), alone(costs::pop));
              }
              EXPECT_EQ(cost.pop(first), alone(costs::refused));
              EXPECT_EQ(cost.pop(first), alone(costs::refused_again));
              checksum_user second(world, where, value_bytes);
              EXPECT_EQ(cost.push(second), alone(costs::push_looking));
            });
}

}  // namespace
}  // namespace far::containers

#endif
