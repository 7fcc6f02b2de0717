// All ranks transfer money between accounts. A transfer locks the two branches that it changes; an
// audit locks all branches to read, concurrently with other audits. Both lock in the order of
// branches, so that no deadlock can occur.
//
//   far run -n 4 example_accounts

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <stdexcept>

#include <far/far.hpp>

namespace {

constexpr std::uint64_t branches = 4;
constexpr std::uint64_t accounts = 100;  // per branch
constexpr long opening = 1000;
constexpr int turns = 200;  // per rank

}  // namespace

int main() {
  far::run([](far::world& world) {
    far::array<long> balance(world, branches * accounts);
    std::deque<far::rw_lock> locks;
    for (std::uint64_t b = 0; b < branches; ++b) locks.emplace_back(world);

    far::fill(balance, opening);

    std::mt19937 random(static_cast<unsigned>(world.rank()));
    int wrong = 0;
    for (int i = 0; i < turns; ++i) {
      const std::uint64_t from = random() % (branches * accounts);
      const std::uint64_t to = random() % (branches * accounts);
      if (from / accounts == to / accounts) {  // an audit instead
        std::deque<std::shared_lock<far::rw_lock>> readers;
        for (far::rw_lock& lock : locks) readers.emplace_back(lock);
        long sum = 0;
        for (std::uint64_t a = 0; a < branches * accounts; ++a) sum += balance.get(a);
        if (sum != opening * static_cast<long>(branches * accounts)) ++wrong;
      } else {
        const std::unique_lock first(locks[std::min(from, to) / accounts]);
        const std::unique_lock second(locks[std::max(from, to) / accounts]);
        const long amount = std::min(balance.get(from), 1 + static_cast<long>(random() % 100));
        balance.put(from, balance.get(from) - amount);
        balance.put(to, balance.get(to) + amount);
      }
    }

    const int all = far::allreduce(world, wrong, std::plus<>());
    if (world.rank() == 0) {
      std::printf("%d transfers and audits; %d audits found money lost or made\n",
                  turns * world.size(), all);
    }
    if (all != 0) throw std::runtime_error("a lock did not hold");
  });
}
