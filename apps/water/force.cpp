#include "apps/water/force.hpp"

#include <cmath>

namespace far::apps::water {
namespace {

double dot(const vector3& u, const vector3& v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; }

vector3 difference(const vector3& u, const vector3& v) {
  return {u[0] - v[0], u[1] - v[1], u[2] - v[2]};
}

void add_opposite(vector3& on_first, vector3& on_second, const vector3& along, double factor) {
  for (std::size_t x = 0; x < 3; ++x) {
    on_first[x] += factor * along[x];
    on_second[x] -= factor * along[x];
  }
}

/// Energies of the charges of two molecules' atoms, at distance 1.
constexpr auto charges = [] {
  std::array<double, 9> result{};
  for (std::size_t e = 0; e < result.size(); ++e) {
    result[e] = constants::coulomb * constants::charge[e / 3] * constants::charge[e % 3];
  }
  return result;
}();

/// The interaction's part that remains at a distance of the oxygens, and its derivative.
struct switched {
  double value;
  double slope;
};

switched switch_at(double distance, double cutoff) {
  const double begin = constants::switch_begin * cutoff;
  if (distance <= begin) return {1, 0};
  const double width = cutoff - begin;
  const double x = (distance - begin) / width;
  return {1 - x * x * x * (10 - x * (15 - 6 * x)), -30 * x * x * (1 - x) * (1 - x) / width};
}

/// How far b's image next to a is shifted. Both coordinates are in [0, length).
double shift_of(double a, double b, double length) {
  const double d = a - b;
  return d > length / 2 ? length : d < -length / 2 ? -length : 0;
}

}  // namespace

double add_bonded(const sites& at, sites& force) {
  const vector3 u = difference(at[1], at[0]);
  const vector3 v = difference(at[2], at[0]);
  const double length_u = std::sqrt(dot(u, u));
  const double length_v = std::sqrt(dot(v, v));
  const double stretch_u = length_u - constants::bond_length;
  const double stretch_v = length_v - constants::bond_length;
  add_opposite(force[1], force[0], u, -constants::bond_stiffness * stretch_u / length_u);
  add_opposite(force[2], force[0], v, -constants::bond_stiffness * stretch_v / length_v);

  const double product = 1 / (length_u * length_v);
  const double cosine = dot(u, v) * product;
  const double bend = std::acos(cosine) - constants::angle;
  // The derivative of the energy by the cosine, negative.
  const double turn = constants::angle_stiffness * bend / std::sqrt(1 - cosine * cosine);
  add_opposite(force[1], force[0], v, turn * product);
  add_opposite(force[1], force[0], u, -turn * cosine / (length_u * length_u));
  add_opposite(force[2], force[0], u, turn * product);
  add_opposite(force[2], force[0], v, -turn * cosine / (length_v * length_v));
  return (constants::bond_stiffness * (stretch_u * stretch_u + stretch_v * stretch_v) +
          constants::angle_stiffness * bend * bend) /
         2;
}

double add_pair(const sites& a, const sites& b, const box& in, sites& on_a, sites& on_b) {
  vector3 shift;
  vector3 oxygens;
  for (std::size_t x = 0; x < 3; ++x) {
    shift[x] = shift_of(a[0][x], b[0][x], in.length);
    oxygens[x] = a[0][x] - b[0][x] - shift[x];
  }
  const double square = dot(oxygens, oxygens);
  if (square >= in.cutoff * in.cutoff) return 0;
  const double distance = std::sqrt(square);
  const switched factor = switch_at(distance, in.cutoff);

  // Distances, energies and forces of the nine pairs of atoms, each as an array: the compiler makes
  // vectors of them.
  constexpr std::size_t pairs = 9;
  std::array<std::array<double, pairs>, 3> apart;
  for (std::size_t e = 0; e < pairs; ++e) {
    for (std::size_t x = 0; x < 3; ++x) apart[x][e] = a[e / 3][x] - b[e % 3][x] - shift[x];
  }
  std::array<double, pairs> part;
  std::array<double, pairs> force;
  for (std::size_t e = 0; e < pairs; ++e) {
    const double squared =
        apart[0][e] * apart[0][e] + apart[1][e] * apart[1][e] + apart[2][e] * apart[2][e];
    part[e] = charges[e] / std::sqrt(squared);
    force[e] = factor.value * part[e] / squared;
  }
  double energy = 0;
  for (std::size_t e = 0; e < pairs; ++e) {
    energy += part[e];
    for (std::size_t x = 0; x < 3; ++x) {
      on_a[e / 3][x] += force[e] * apart[x][e];
      on_b[e % 3][x] -= force[e] * apart[x][e];
    }
  }
  const double ratio = constants::lj_diameter * constants::lj_diameter / square;
  const double sixth = ratio * ratio * ratio;
  energy += 4 * constants::lj_energy * (sixth * sixth - sixth);
  const double repulsion = 24 * constants::lj_energy * (2 * sixth * sixth - sixth) / square;
  add_opposite(on_a[0], on_b[0], oxygens,
               factor.value * repulsion - factor.slope * energy / distance);
  return factor.value * energy;
}

}  // namespace far::apps::water
