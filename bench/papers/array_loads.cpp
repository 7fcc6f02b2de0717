#include "bench/papers/array_loads.hpp"

namespace far::bench {

array_load pinned_sweep(const array_sizes& sizes) {
  return [=](world& world, int threads, access_log& log) {
    const auto a = detail::make_array<cached_user>(world, sizes);
    const std::uint64_t chunks = a.size() / chunk_words;
    const auto all_threads =
        static_cast<std::uint64_t>(threads) * static_cast<std::uint64_t>(world.size());
    detail::on_threads(world, threads, [&](far::world& thread, std::uint64_t number) {
      const cached_view<std::uint64_t> mine = a.on(thread);
      const cached::access_work work(thread.fabric());
      const std::uint64_t first = chunks * number / all_threads;
      std::uint64_t sum = 0;
      const std::uint64_t begin = thread.now();
      for (std::uint64_t done = 0; done < chunks; ++done) {
        const auto pin = mine.pin_read((first + done) % chunks * chunk_words);
        for (const std::uint64_t value : pin.elements()) sum += value;
        work.charge_pinned(thread.context(), pin.size());
      }
      log.add(begin, thread.now(), a.size());
      if (sum != 0) throw error("paper-c: an array that nobody wrote is not zero");
    });
  };
}

}  // namespace far::bench
