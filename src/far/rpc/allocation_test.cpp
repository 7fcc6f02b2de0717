// What a small remote call costs in memory: one allocation where it starts, none where it runs.

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "far/rpc/rpc.hpp"
#include "far/world/run.hpp"

namespace {

thread_local std::uint64_t allocations = 0;

void* counted(std::size_t bytes) noexcept {
  ++allocations;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* counted_or_thrown(std::size_t bytes) {
  void* memory = counted(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// All forms of the whole test program: the library allocates with those that do not throw, too. Not
// inlined: otherwise the compiler sees that memory from new is freed by free, and warns.
[[gnu::noinline]] void* operator new(std::size_t bytes) { return counted_or_thrown(bytes); }
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return counted_or_thrown(bytes); }
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted(bytes);
}
[[gnu::noinline]] void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

TEST(RpcAllocations, OneAtTheCallerNoneAtTheTarget) {
  far::run_options options;
  options.ranks = 2;
  far::run(options, [](far::world& world) {
    constexpr std::uint64_t calls = 200;
    const auto call_all = [&] {
      for (std::uint64_t i = 0; i < calls; ++i) {
        const auto twice = [](std::uint64_t x, std::uint64_t y) { return 2 * x + y; };
        EXPECT_EQ(far::rpc(world, 1, twice, i, std::uint64_t{1}).get(), 2 * i + 1);
      }
    };
    if (world.rank() == 0) call_all();  // makes the one-time allocations
    far::quiesce(world);
    const std::uint64_t before = allocations;
    if (world.rank() == 0) call_all();
    world.fabric().quiesce(world.context());
    EXPECT_EQ(allocations - before, world.rank() == 0 ? calls : 0);
  });
}

}  // namespace
