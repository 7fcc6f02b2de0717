#pragma once
// The physics that the parallel program and its sequential check share: a flexible water molecule,
// the box that it is in, and where the molecules start.
//
// Units: angstrom, femtosecond, kcal/mol, g/mol, elementary charge, kelvin.
//
// The molecule is SPC/Fw (Y. Wu, H. Tepper, G. Voth, J. Chem. Phys. 124, 024503, 2006): harmonic
// bonds and a harmonic angle, charges at all atoms, and a Lennard-Jones potential between oxygens.
// Two molecules interact as a whole up to a distance of their oxygens, near which a polynomial
// switches all of it off, so that energy is conserved.

#include <array>
#include <cstdint>
#include <vector>

namespace far::apps::water {

using vector3 = std::array<double, 3>;
/// A vector for each atom of a molecule: oxygen, hydrogen, hydrogen.
using sites = std::array<vector3, 3>;

namespace constants {
inline constexpr std::array<double, 3> mass{15.9994, 1.008, 1.008};
inline constexpr std::array<double, 3> charge{-0.82, 0.41, 0.41};
inline constexpr double coulomb = 332.06371;  ///< energy of two unit charges at distance 1
inline constexpr double bond_stiffness = 1059.162;
inline constexpr double bond_length = 1.012;
inline constexpr double angle_stiffness = 75.90;
inline constexpr double angle = 113.24 * 3.14159265358979323846 / 180;
inline constexpr double lj_energy = 0.1554253;
inline constexpr double lj_diameter = 3.165492;
inline constexpr double boltzmann = 0.0019872041;
inline constexpr double acceleration = 4.184e-4;  ///< of a unit mass by a unit force
inline constexpr double time_step = 0.2;
inline constexpr double temperature = 298.15;
inline constexpr double volume = 29.9;       ///< of a molecule: 0.997 g/cm^3 / 18.015 g/mol
inline constexpr double switch_begin = 0.9;  ///< in units of the cutoff
}  // namespace constants

/// A periodic cube.
struct box {
  double length;
  double cutoff;  ///< half of the length
};
[[nodiscard]] box box_of(std::uint64_t molecules);

/// One point of time.
struct energies {
  double kinetic = 0;
  double bonded = 0;  ///< inside molecules
  double pairs = 0;   ///< between molecules

  [[nodiscard]] double total() const noexcept { return kinetic + bonded + pairs; }
  energies& operator+=(const energies& other) noexcept;
};

[[nodiscard]] double temperature_of(const energies& e, std::uint64_t molecules);
[[nodiscard]] double kinetic_energy(const sites& velocity);

struct molecule_state {
  sites position;
  sites velocity;
};

/// Molecules on a cubic lattice, turned at random, with random velocities that add up to no
/// momentum. The same for the same seed. `molecules` is a cube.
[[nodiscard]] std::vector<molecule_state> initial_state(std::uint64_t molecules,
                                                        std::uint64_t seed);

/// The edge of a cube of so many molecules, or 0 if there is none.
[[nodiscard]] std::uint64_t cube_root(std::uint64_t molecules);

}  // namespace far::apps::water
