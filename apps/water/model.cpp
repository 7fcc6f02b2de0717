#include "apps/water/model.hpp"

#include <cmath>
#include <random>

namespace far::apps::water {
namespace {

class generator {
 public:
  explicit generator(std::uint64_t seed) : engine_(seed) {}

  vector3 normal(double deviation) {
    vector3 v;
    for (double& x : v) x = deviation * normal_(engine_);
    return v;
  }
  /// A random direction.
  vector3 direction() { return scaled_to_one(normal(1)); }
  vector3 direction_across(const vector3& axis) {
    vector3 v = normal(1);
    const double along = v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
    for (std::size_t x = 0; x < 3; ++x) v[x] -= along * axis[x];
    return scaled_to_one(v);
  }

 private:
  static vector3 scaled_to_one(vector3 v) {
    const double length = std::hypot(v[0], v[1], v[2]);
    for (double& x : v) x /= length;
    return v;
  }

  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

/// An undistorted molecule, turned at random.
sites molecule_at(const vector3& oxygen, generator& random) {
  const vector3 axis = random.direction();
  const vector3 across = random.direction_across(axis);
  const double along = constants::bond_length * std::cos(constants::angle / 2);
  const double aside = constants::bond_length * std::sin(constants::angle / 2);
  sites s;
  for (std::size_t x = 0; x < 3; ++x) {
    s[0][x] = oxygen[x];
    s[1][x] = oxygen[x] + along * axis[x] + aside * across[x];
    s[2][x] = oxygen[x] + along * axis[x] - aside * across[x];
  }
  return s;
}

void stop_drift(std::vector<molecule_state>& all) {
  vector3 momentum{};
  double mass = 0;
  for (const molecule_state& m : all) {
    for (std::size_t s = 0; s < 3; ++s) {
      mass += constants::mass[s];
      for (std::size_t x = 0; x < 3; ++x) momentum[x] += constants::mass[s] * m.velocity[s][x];
    }
  }
  for (molecule_state& m : all) {
    for (vector3& v : m.velocity) {
      for (std::size_t x = 0; x < 3; ++x) v[x] -= momentum[x] / mass;
    }
  }
}

}  // namespace

box box_of(std::uint64_t molecules) {
  const double length = std::cbrt(constants::volume * static_cast<double>(molecules));
  return {length, length / 2};
}

energies& energies::operator+=(const energies& other) noexcept {
  kinetic += other.kinetic;
  bonded += other.bonded;
  pairs += other.pairs;
  return *this;
}

double temperature_of(const energies& e, std::uint64_t molecules) {
  const double degrees = 9 * static_cast<double>(molecules) - 3;
  return 2 * e.kinetic / (degrees * constants::boltzmann);
}

double kinetic_energy(const sites& velocity) {
  double sum = 0;
  for (std::size_t s = 0; s < 3; ++s) {
    for (const double v : velocity[s]) sum += constants::mass[s] * v * v;
  }
  return sum / (2 * constants::acceleration);
}

std::vector<molecule_state> initial_state(std::uint64_t molecules, std::uint64_t seed) {
  generator random(seed);
  const std::uint64_t edge = cube_root(molecules);
  const double spacing = box_of(molecules).length / static_cast<double>(edge);
  std::vector<molecule_state> all(molecules);
  for (std::uint64_t i = 0; i < molecules; ++i) {
    const auto place = [&](std::uint64_t n) { return (static_cast<double>(n) + 0.5) * spacing; };
    all[i].position =
        molecule_at({place(i / edge / edge), place(i / edge % edge), place(i % edge)}, random);
    for (std::size_t s = 0; s < 3; ++s) {
      all[i].velocity[s] = random.normal(std::sqrt(constants::boltzmann * constants::temperature *
                                                   constants::acceleration / constants::mass[s]));
    }
  }
  stop_drift(all);
  return all;
}

std::uint64_t cube_root(std::uint64_t molecules) {
  const auto edge = static_cast<std::uint64_t>(std::llround(std::cbrt(molecules)));
  return edge * edge * edge == molecules ? edge : 0;
}

}  // namespace far::apps::water
