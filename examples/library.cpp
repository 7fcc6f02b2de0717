// A library that uses ranks, for programs that do not run inside far::run. Each of its objects is a
// rank of the job during its lifetime.
//
//   far run -n 4 example_library
//   mpirun -n 4 example_library       (an MPI program may do the same)

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <vector>

#include <far/far.hpp>

namespace {

/// Statistics over the samples of all ranks.
class statistics {
 public:
  void add(double sample) { samples_.push_back(sample); }

  /// Collective.
  [[nodiscard]] double mean() {
    double sum = 0;
    for (const double s : samples_) sum += s;
    const double all = far::allreduce(job_.world(), sum);
    return all / static_cast<double>(far::allreduce(job_.world(), samples_.size()));
  }

  [[nodiscard]] far::world& world() noexcept { return job_.world(); }

 private:
  far::job job_;  // first member, so that it is destroyed last
  std::vector<double> samples_;
};

bool mean_is(double expected) {
  statistics all;
  for (std::size_t i = 0; i < 1000; ++i) all.add(all.world().rank() + expected);
  const double mean = all.mean();
  if (all.world().rank() == 0) std::printf("mean %.2f of %d ranks\n", mean, all.world().size());
  return std::abs(mean - (expected + (all.world().size() - 1) / 2.0)) < 1e-9;
}

}  // namespace

int main() {
  try {
    return mean_is(10) && mean_is(20) ? 0 : 1;  // one job after the other
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
