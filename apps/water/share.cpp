// One worker's part of the simulation.
//
// A step has two meetings of all workers:
//
//   move          the owner writes its molecules' velocities and positions, and zeroes their forces
//   -- meet --    all positions are new, all forces zero
//   interact      reads positions; forces are summed privately, then added to the objects
//   -- meet --    all forces are complete
//   kick          the owner reads forces and writes velocities; then it moves again
//
// No two workers use a field at once, except those that add forces: each enters the monitor of the
// share that it adds to, beginning with its own, so that they rarely wait for each other.
//
// Each pair is computed once: molecule i with the half of the others that follow it, going round.

#include <algorithm>
#include <cmath>
#include <vector>

#include "apps/common/progress.hpp"
#include "apps/water/ensemble.hpp"
#include "apps/water/force.hpp"

namespace far::apps::water {
namespace {

class share_runner {
 public:
  explicit share_runner(worker<ensemble>& self)
      : self_(self),
        space_(self.space),
        what_(space_.read(self.job)),
        box_(box_of(what_.molecules)),
        first_(first_of(self.index, self.count, what_.molecules)),
        last_(first_of(self.index + 1, self.count, what_.molecules)) {}

  void run() {
    make_objects();
    self_.meet();
    read_references();
    self_.meet();  // nobody moves before all have read
    if (self_.index == 0) space_.write(self_.job).begin_ns = space_.world().now();
    progress_bar bar("simulating");
    for (std::uint64_t step = 0; step <= what_.steps; ++step) {
      if (step > 0) move();
      self_.meet();
      energies e;
      interact(e);
      self_.meet();
      if (step > 0) kick();
      for (std::uint64_t i = first_; i < last_; ++i) {
        e.kinetic += kinetic_energy(space_.read(all_[i].velocity));
      }
      space_.write(space_.read(shares_[self_.index]).steps, step) = e;
      if (self_.index == 0) bar.update(step, what_.steps);
    }
    if (self_.index == 0) space_.write(self_.job).end_ns = space_.world().now();
  }

 private:
  void make_objects() {
    const auto state = initial_state(what_.molecules, what_.seed);
    for (std::uint64_t i = first_; i < last_; ++i) {
      const molecule made{space_.make<sites>(state[i].position),
                          space_.make<sites>(state[i].velocity), space_.make<sites>()};
      space_.write(what_.all, i) = made;
    }
    const auto own = space_.make<share>(share{space_.make_array<energies>(what_.steps + 1)});
    space_.write(what_.shares, self_.index) = own;
  }

  /// References do not change any more, so each worker has its own list of them.
  void read_references() {
    for (std::uint64_t i = 0; i < what_.molecules; ++i) all_.push_back(space_.read(what_.all, i));
    for (std::uint64_t w = 0; w < self_.count; ++w) {
      shares_.push_back(space_.read(what_.shares, w));
    }
    sum_.resize(what_.molecules);
  }

  void kick() {
    for (std::uint64_t i = first_; i < last_; ++i) {
      const sites& force = space_.read(all_[i].force);
      sites& velocity = space_.write(all_[i].velocity);
      for (std::size_t s = 0; s < 3; ++s) {
        const double factor =
            constants::acceleration / constants::mass[s] * constants::time_step / 2;
        for (std::size_t x = 0; x < 3; ++x) velocity[s][x] += factor * force[s][x];
      }
    }
  }

  void move() {
    kick();
    for (std::uint64_t i = first_; i < last_; ++i) {
      const sites& velocity = space_.read(all_[i].velocity);
      sites& position = space_.write(all_[i].position);
      for (std::size_t s = 0; s < 3; ++s) {
        for (std::size_t x = 0; x < 3; ++x) {
          position[s][x] += constants::time_step * velocity[s][x];
        }
      }
      wrap(position);
      space_.write(all_[i].force) = {};
    }
  }

  /// Moves a molecule whose oxygen has left the box to the other side.
  void wrap(sites& position) const {
    for (std::size_t x = 0; x < 3; ++x) {
      const double shift = -box_.length * std::floor(position[0][x] / box_.length);
      for (vector3& atom : position) atom[x] += shift;
    }
  }

  void interact(energies& e) {
    std::ranges::fill(sum_, sites{});
    for (std::uint64_t i = first_; i < last_; ++i) {
      const sites& a = space_.read(all_[i].position);
      sites on_a{};
      e.bonded += add_bonded(a, on_a);
      const std::uint64_t partners = partners_of(i);
      for (std::uint64_t k = 1; k <= partners; ++k) {
        const std::uint64_t j = i + k < what_.molecules ? i + k : i + k - what_.molecules;
        e.pairs += add_pair(a, space_.read(all_[j].position), box_, on_a, sum_[j]);
      }
      add(sum_[i], on_a);
      if (what_.pair_ns > 0) {
        space_.world().compute(
            static_cast<std::uint64_t>(what_.pair_ns * static_cast<double>(partners)));
      }
    }
    for (std::uint64_t k = 0; k < self_.count; ++k) add_to_share((self_.index + k) % self_.count);
  }

  /// With an even number of molecules, opposite ones would meet twice.
  [[nodiscard]] std::uint64_t partners_of(std::uint64_t i) const {
    const std::uint64_t n = what_.molecules;
    return n % 2 == 1 ? n / 2 : i < n / 2 ? n / 2 : n / 2 - 1;
  }

  /// Whether this worker may have computed forces on a molecule.
  [[nodiscard]] bool reaches(std::uint64_t i) const {
    const std::uint64_t n = what_.molecules;
    return first_ < last_ && (i + n - first_) % n < last_ - first_ + n / 2;
  }

  void add_to_share(std::uint64_t w) {
    const std::uint64_t begin = first_of(w, self_.count, what_.molecules);
    const std::uint64_t end = first_of(w + 1, self_.count, what_.molecules);
    reached_.clear();
    for (std::uint64_t i = begin; i < end; ++i) {
      if (reaches(i)) reached_.push_back(i);
    }
    if (reached_.empty()) return;
    const auto lock = space_.lock(shares_[w]);
    for (const std::uint64_t i : reached_) add(space_.write(all_[i].force), sum_[i]);
  }

  static void add(sites& to, const sites& more) {
    for (std::size_t s = 0; s < 3; ++s) {
      for (std::size_t x = 0; x < 3; ++x) to[s][x] += more[s][x];
    }
  }

  worker<ensemble>& self_;
  object_view& space_;
  ensemble what_;
  box box_;
  std::uint64_t first_;
  std::uint64_t last_;
  std::vector<molecule> all_;
  std::vector<ref<share>> shares_;
  std::vector<sites> sum_;              // forces that this worker has computed, of all molecules
  std::vector<std::uint64_t> reached_;  // molecules of one share to which it adds them
};

}  // namespace

void run_share(worker<ensemble>& self) { share_runner(self).run(); }

}  // namespace far::apps::water
