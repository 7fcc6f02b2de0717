// Work from one queue: a free rank takes the next range of numbers and counts its primes. The
// ranges have equal length but unequal work, and need not be assigned to ranks in advance.
//
//   far run -n 4 example_jobs

#include <cstdint>
#include <cstdio>
#include <vector>

#include <far/far.hpp>

namespace {

struct range {
  std::uint32_t first;
  std::uint32_t last;  // less than first only in the entry that ends the work
};

bool is_prime(std::uint32_t n) {
  for (std::uint32_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

}  // namespace

int main() {
  far::run([](far::world& world) {
    constexpr std::uint32_t numbers = 200'000;
    constexpr std::uint32_t each = 1000;
    constexpr range end_of_work{1, 0};

    // Collective: at rank 0, with space for all jobs and one end entry per rank.
    far::queue<range> jobs(world, 0, numbers / each + static_cast<unsigned>(world.size()));
    if (world.rank() == 0) {
      std::vector<range> all;
      for (std::uint32_t i = 0; i < numbers; i += each) all.push_back({i, i + each - 1});
      all.resize(jobs.capacity(), end_of_work);
      jobs.push(all);  // one transfer
    }

    std::uint64_t primes = 0;
    int taken = 0;
    for (range job = jobs.pop(); job.first <= job.last; job = jobs.pop(), ++taken) {
      for (std::uint32_t n = job.first; n <= job.last; ++n) primes += is_prime(n) ? 1u : 0u;
    }
    std::printf("rank %d took %d jobs\n", world.rank(), taken);
    const std::uint64_t sum = far::allreduce(world, primes);
    if (world.rank() == 0) std::printf("%llu primes\n", static_cast<unsigned long long>(sum));
  });
}
