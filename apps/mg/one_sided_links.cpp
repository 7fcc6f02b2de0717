#include "apps/mg/one_sided_links.hpp"

#include <algorithm>

namespace far::apps::mg {

one_sided_links::one_sided_links(const world& world, const landing_places& places)
    : world_(world),
      places_(places),
      rows_(allocate<double>(world, std::max<std::size_t>(places.size(), 1))),
      arrived_(allocate<std::uint64_t>(
          world, static_cast<std::uint64_t>(std::max(places.index_count(), 1)))) {
  far::barrier(world_);  // nobody puts anything here before it is allocated
}

one_sided_links::~one_sided_links() {
  scope_.leave(world_);  // others may still be putting
  try {
    deallocate(world_, arrived_);
    deallocate(world_, rows_);
  } catch (const std::exception&) {
    // The job has failed; its memory ends with it.
  }
}

void one_sided_links::expect(int level, channel of, int direction, std::uint64_t, int,
                             std::size_t) {
  expected_.push_back(places_.index(level, of, direction));
}

void one_sided_links::send(int level, channel of, int direction, std::uint64_t number, int to,
                           std::span<const double> rows) {
  const auto there =
      rows_.on(to) + static_cast<std::int64_t>(places_.offset(level, of, direction, number));
  const auto word = arrived_.on(to) + places_.index(level, of, direction);
  sent_.push_back(put_async(world_, there, rows, signal_of(word, number)));
}

void one_sided_links::complete(int level, channel of, std::uint64_t number) {
  const int first = places_.index(level, of, 0);
  std::erase_if(expected_, [&](int index) {
    if (index < first || index >= first + direction_count) return false;
    wait_signal(world_, arrived_ + index, at_least{number});
    return true;
  });
  // Those of other exchanges too: they have been in flight for longer.
  for (future<void>& sent : sent_) sent.get();
  sent_.clear();
}

void one_sided_links::allgather(std::span<const double> mine, std::span<double> all) {
  far::allgather(world_, mine, all);
}

double one_sided_links::sum(double value) { return allreduce(world_, value); }

}  // namespace far::apps::mg
