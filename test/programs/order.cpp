// A program that may fail, depending on the order of its ranks' steps, for tests of `far sim
// explore`:
//
//   test-order WAY
//
// Rank 0 reads the flag, which rank 1 sets after the data. WAY: "right", "wrong" (nothing keeps the
// flag behind the data), "abort" (the same, and the process aborts when it shows), "spin" (the flag
// is never set), "loop" (never calls the fabric).

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <far/far.hpp>

namespace {

using number = far::ptr<std::uint64_t>;

void set_flag(far::world& world, const std::string& way, number data, number flag) {
  far::fabric::context& c = world.context();
  const std::uint64_t seven = 7;
  const far::fabric::put_part part{data.on(0).address(), &seven, sizeof(seven)};
  c.put({&part, 1});
  if (way == "right" || way == "spin") c.flush();
  if (way == "spin") return;
  far::atomic_ref<std::uint64_t>(world, flag.on(0)).store(1);
  c.flush();
}

void ask_for_flag(far::world& world, const std::string& way, number data, number flag) {
  far::fabric::backoff tries;
  const far::atomic_ref<std::uint64_t> set(world, flag.on(0));
  while (set.load() == 0) world.context().pause(tries);
  const std::uint64_t seen = far::atomic_ref<std::uint64_t>(world, data.on(0)).load();
  if (seen == 7) return;
  if (way == "abort") std::abort();
  throw std::runtime_error("the flag came before the data: " + std::to_string(seen));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "right";
  far::run([&](far::world& world) {
    const auto data = far::allocate<std::uint64_t>(world);
    const auto flag = far::allocate<std::uint64_t>(world);
    far::barrier(world);
    if (way == "loop") {
      for (volatile unsigned turns = 0;;) turns = turns + 1;
    }
    if (world.rank() == 0) ask_for_flag(world, way, data, flag);
    if (world.rank() == 1) set_flag(world, way, data, flag);
    far::barrier(world);
  });
}
