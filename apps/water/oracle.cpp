// All pairs of molecules, with images by rounding; coordinates are never wrapped. An angle pushes
// hydrogens at right angles to their bonds. Of the parallel program this shares only model.hpp.

#include "apps/water/oracle.hpp"

#include <cmath>
#include <cstddef>

namespace far::apps::water::oracle {
namespace {

struct point {
  double x = 0, y = 0, z = 0;

  point operator+(const point& o) const { return {x + o.x, y + o.y, z + o.z}; }
  point operator-(const point& o) const { return {x - o.x, y - o.y, z - o.z}; }
  point operator*(double f) const { return {x * f, y * f, z * f}; }
  [[nodiscard]] double norm() const { return std::hypot(x, y, z); }
};

point cross(const point& a, const point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double inner(const point& a, const point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct atom {
  point at, moves, pulled;
};

/// Atoms 3 m .. 3 m + 2 are molecule m.
class ensemble {
 public:
  ensemble(std::uint64_t molecules, std::uint64_t seed) : edge_(box_of(molecules).length) {
    for (const molecule_state& m : initial_state(molecules, seed)) {
      for (std::size_t s = 0; s < 3; ++s) {
        const vector3& p = m.position[s];
        const vector3& v = m.velocity[s];
        atoms_.push_back({{p[0], p[1], p[2]}, {v[0], v[1], v[2]}, {}});
      }
    }
    pull();
  }

  void step() {
    half_kick();
    for (atom& a : atoms_) a.at = a.at + a.moves * constants::time_step;
    pull();
    half_kick();
  }

  [[nodiscard]] energies now() const {
    energies e{0, bonded_, pairs_};
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      e.kinetic += mass_of(i) * inner(atoms_[i].moves, atoms_[i].moves) / 2;
    }
    e.kinetic /= constants::acceleration;
    return e;
  }

 private:
  static double mass_of(std::size_t i) { return constants::mass[i % 3]; }

  void half_kick() {
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      atoms_[i].moves = atoms_[i].moves + atoms_[i].pulled * (constants::acceleration / mass_of(i) *
                                                              constants::time_step / 2);
    }
  }

  void pull() {
    for (atom& a : atoms_) a.pulled = {};
    bonded_ = 0;
    pairs_ = 0;
    for (std::size_t m = 0; m < atoms_.size(); m += 3) {
      pull_inside(m);
      for (std::size_t other = m + 3; other < atoms_.size(); other += 3) pull_between(m, other);
    }
  }

  void pull_inside(std::size_t m) {
    const point to_first = atoms_[m + 1].at - atoms_[m].at;
    const point to_second = atoms_[m + 2].at - atoms_[m].at;
    for (const std::size_t h : {m + 1, m + 2}) {
      const point bond = atoms_[h].at - atoms_[m].at;
      const double stretch = bond.norm() - constants::bond_length;
      bonded_ += constants::bond_stiffness * stretch * stretch / 2;
      push(h, m, bond * (-constants::bond_stiffness * stretch / bond.norm()));
    }
    const point normal = cross(to_first, to_second);
    const double bend = std::atan2(normal.norm(), inner(to_first, to_second)) - constants::angle;
    bonded_ += constants::angle_stiffness * bend * bend / 2;
    // Hydrogens move apart along the perpendiculars of their bonds in the molecule's plane.
    const point plane = normal * (1 / normal.norm());
    const double torque = constants::angle_stiffness * bend;
    push(m + 1, m, cross(plane, to_first) * (torque / inner(to_first, to_first)));
    push(m + 2, m, cross(to_second, plane) * (torque / inner(to_second, to_second)));
  }

  void pull_between(std::size_t m, std::size_t other) {
    const point straight = atoms_[m].at - atoms_[other].at;
    const point image{edge_ * std::round(straight.x / edge_),
                      edge_ * std::round(straight.y / edge_),
                      edge_ * std::round(straight.z / edge_)};
    const point apart = straight - image;
    const double r = apart.norm();
    const double cutoff = edge_ / 2;
    if (r >= cutoff) return;
    const double begin = constants::switch_begin * cutoff;
    const double u = r > begin ? (cutoff - r) / (cutoff - begin) : 1;  // 1 .. 0
    const double part = u * u * u * (6 * u * u - 15 * u + 10);
    const double slope = -30 * std::pow(u * (1 - u), 2) / (cutoff - begin);

    const double sixth = std::pow(constants::lj_diameter / r, 6);
    double energy = 4 * constants::lj_energy * sixth * (sixth - 1);
    const double steepness = -24 * constants::lj_energy * sixth * (2 * sixth - 1) / r;
    for (std::size_t s = 0; s < 3; ++s) {
      for (std::size_t t = 0; t < 3; ++t) {
        const point d = atoms_[m + s].at - atoms_[other + t].at - image;
        const double q = constants::coulomb * constants::charge[s] * constants::charge[t];
        energy += q / d.norm();
        push(m + s, other + t, d * (part * q / std::pow(d.norm(), 3)));
      }
    }
    pairs_ += part * energy;
    push(m, other, apart * (-(part * steepness + slope * energy) / r));
  }

  void push(std::size_t i, std::size_t against, const point& force) {
    atoms_[i].pulled = atoms_[i].pulled + force;
    atoms_[against].pulled = atoms_[against].pulled - force;
  }

  double edge_;
  std::vector<atom> atoms_;
  double bonded_ = 0;
  double pairs_ = 0;
};

}  // namespace

std::vector<energies> simulate(std::uint64_t molecules, std::uint64_t steps, std::uint64_t seed,
                               const std::function<void(std::uint64_t)>& progress) {
  ensemble all(molecules, seed);
  std::vector<energies> result{all.now()};
  for (std::uint64_t done = 1; done <= steps; ++done) {
    all.step();
    result.push_back(all.now());
    progress(done);
  }
  return result;
}

}  // namespace far::apps::water::oracle
