// The forces of both programs are the derivatives of their energies, and agree.

#include "apps/water/force.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "apps/water/oracle.hpp"

namespace far::apps::water {
namespace {

constexpr box space{20, 10};

/// A molecule with random distortions, its oxygen within `spread` of the center.
sites random_molecule(std::mt19937& random, double spread) {
  std::uniform_real_distribution<double> place(space.length / 2 - spread,
                                               space.length / 2 + spread);
  std::uniform_real_distribution<double> bend(-0.15, 0.15);
  sites s = initial_state(1, random())[0].position;
  const vector3 from = s[0];
  const vector3 to{place(random), place(random), place(random)};
  for (vector3& atom : s) {
    for (std::size_t x = 0; x < 3; ++x) atom[x] += to[x] - from[x] + bend(random);
  }
  return s;
}

/// Minus the derivative of `energy` by a coordinate.
template <class Energy>
double slope(sites at, std::size_t s, std::size_t x, Energy energy) {
  constexpr double h = 1e-5;
  at[s][x] += h;
  const double above = energy(at);
  at[s][x] -= 2 * h;
  return (energy(at) - above) / (2 * h);
}

TEST(water_force_test, bonded_forces_are_derivatives) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const sites m = random_molecule(random, 1);
    sites force{};
    EXPECT_GT(add_bonded(m, force), 0);
    for (std::size_t s = 0; s < 3; ++s) {
      for (std::size_t x = 0; x < 3; ++x) {
        const double expected = slope(m, s, x, [](const sites& at) {
          sites unused{};
          return add_bonded(at, unused);
        });
        EXPECT_NEAR(force[s][x], expected, 1e-6 * (1 + std::abs(expected)));
      }
    }
  }
}

TEST(water_force_test, pair_forces_are_derivatives) {
  std::mt19937 random(2);
  int switched = 0;
  for (int round = 0; round < 200; ++round) {
    // No coordinate differs by more than half of the box, so the nearest images are these.
    const sites a = random_molecule(random, 4.8);
    sites b = random_molecule(random, 4.8);
    sites on_a{};
    sites on_b{};
    const double energy = add_pair(a, b, space, on_a, on_b);
    const double distance = std::hypot(a[0][0] - b[0][0], a[0][1] - b[0][1], a[0][2] - b[0][2]);
    if (distance < 2) continue;
    if (distance > space.cutoff) {
      EXPECT_EQ(energy, 0);
      EXPECT_EQ(on_a, sites{});
      continue;
    }
    switched += distance > constants::switch_begin * space.cutoff ? 1 : 0;
    for (std::size_t s = 0; s < 3; ++s) {
      for (std::size_t x = 0; x < 3; ++x) {
        const double expected = slope(b, s, x, [&](const sites& at) {
          sites unused{};
          return add_pair(a, at, space, unused, unused);
        });
        EXPECT_NEAR(on_b[s][x], expected, 1e-6 * (1 + std::abs(expected))) << distance;
      }
    }
    // Images interact alike.
    for (vector3& atom : b) atom[0] += space.length;
    sites on_image{};
    sites back{};
    EXPECT_NEAR(add_pair(a, b, space, back, on_image), energy, 1e-9 * (1 + std::abs(energy)));
  }
  EXPECT_GT(switched, 10);
}

TEST(water_force_test, energy_is_conserved) {
  const auto steps = oracle::simulate(64, 100, 3);
  const double scale = steps[0].kinetic;
  double exchanged = 0;
  for (const energies& e : steps) {
    EXPECT_NEAR(e.total(), steps[0].total(), 5e-3 * scale);
    exchanged = std::max(exchanged, std::abs(e.kinetic - steps[0].kinetic));
  }
  EXPECT_GT(exchanged, 0.1 * scale);  // or nothing has moved
}

TEST(water_force_test, starts_at_rest_as_a_whole) {
  const auto all = initial_state(27, 5);
  energies e;
  vector3 momentum{};
  for (const molecule_state& m : all) {
    e.kinetic += kinetic_energy(m.velocity);
    sites force{};
    EXPECT_NEAR(add_bonded(m.position, force), 0, 1e-12);
    for (std::size_t s = 0; s < 3; ++s) {
      for (std::size_t x = 0; x < 3; ++x) momentum[x] += constants::mass[s] * m.velocity[s][x];
    }
  }
  for (const double p : momentum) EXPECT_NEAR(p, 0, 1e-12);
  EXPECT_NEAR(temperature_of(e, 27), constants::temperature, 60);
}

TEST(water_force_test, knows_cubes) {
  for (std::uint64_t edge = 1; edge <= 40; ++edge) {
    EXPECT_EQ(cube_root(edge * edge * edge), edge);
    EXPECT_EQ(cube_root(edge * edge * edge + 1), 0U);
  }
  EXPECT_EQ(cube_root(7), 0U);
}

}  // namespace
}  // namespace far::apps::water
