// Static variables that other ranks reach, for tests. Built twice: test-statics as the compiler
// does by default, test-statics_fixed as a program that is not position-independent.
//
//   test-statics             two jobs, one after the other, each with all kinds of access
//   test-statics differ      rank 1 does not share its static data

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

#include <far/far.hpp>

std::uint64_t begun = 17;
std::array<int, 5000> row{};
std::array<double, 8 << 20> untouched{};
std::int32_t counter = 0;

namespace {

template <class T>
far::ptr<T> pointer_to(const far::world& world, T& variable) {
  return far::ptr<T>(world.fabric().address_of(&variable));
}

void expect(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(std::string("wrong: ") + what);
}

/// Job number `number` of 1, 2, ...
void use(far::world& world, int number) {
  const int n = world.size();
  const int right = (world.rank() + 1) % n;
  const int left = (world.rank() + n - 1) % n;
  expect(begun == (number == 1 ? 17u : 100u + static_cast<unsigned>(left)),
         "what was there before");
  far::barrier(world);
  far::put(world, pointer_to(world, begun).on(right),
           std::uint64_t{100} + static_cast<unsigned>(world.rank()));
  for (int r = 0; r < n; ++r) far::atomic_ref(world, pointer_to(world, counter).on(r)).fetch_add(1);
  for (std::size_t i = 0; i < row.size() / 2; ++i)
    row[i] = 1000 * world.rank() + static_cast<int>(i);
  far::barrier(world);
  expect(begun == 100u + static_cast<unsigned>(left), "a put");
  expect(far::get(world, pointer_to(world, begun).on(right)) ==
             100u + static_cast<unsigned>(world.rank()),
         "a get");
  expect(counter == number * n, "atomics");
  std::array<int, 2500> got{};
  far::get(world, pointer_to(world, row[0]).on(left), std::span(got));
  expect(got[2499] == 1000 * left + 2499, "a long get");
  far::barrier(world);
  far::put(world, pointer_to(world, row[2500]).on(right), std::span<const int>(row).first(2500));
  far::barrier(world);
  expect(row[4999] == 1000 * left + 2499, "a long put from static to static memory");
  expect(untouched[1 << 20] == 0, "zeros");
  untouched[5] = 1;
  std::printf("job %d rank %d of %d\n", number, world.rank(), n);
  std::fflush(stdout);
  far::barrier(world);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string action = argc > 1 ? argv[1] : "";
  try {
    if (action == "differ") {
      const char* const job = std::getenv("FAR_JOB");
      const bool shares = job == nullptr || std::strstr(job, ":1") == nullptr;
      far::job one({.static_data = shares});
      far::barrier(one.world());
      return 0;
    }
    for (int number = 1; number <= 2; ++number) {
      far::job one({.static_data = true});
      use(one.world(), number);
    }
    expect(untouched[5] == 1 && counter > 0, "what is there after the job");
    far::job plain;
    expect(!plain.world().fabric().address_of(&begun), "off by default");
  } catch (const std::exception& failure) {
    if (!far::fabric::launcher_reports()) std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}
