#include "apps/mg/field.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace far::apps::mg {
namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;

double* allocate_zeros(std::size_t count) {
  // Huge pages, where the system allows them, make fewer TLB misses.
  const bool large = count * sizeof(double) >= huge_page;
  const std::size_t alignment = large ? huge_page : cache_line;
  const std::size_t bytes = (count * sizeof(double) + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  if (large) ::madvise(memory, bytes, MADV_HUGEPAGE);
  std::fill_n(static_cast<double*>(memory), count, 0.0);
  return static_cast<double*>(memory);
}

range side_of(int d, int size) noexcept {
  if (d == 0) return {0, size};
  return d < 0 ? range{0, 1} : range{size - 1, size};
}

range ghosts_of(int d, int size) noexcept {
  if (d == 0) return {0, size};
  return d < 0 ? range{-1, 0} : range{size, size + 1};
}

}  // namespace

void field::release::operator()(double* memory) const noexcept { std::free(memory); }

field::field(int planes, int rows, int n, bool cut_z, bool cut_y)
    : planes_(planes),
      rows_(rows),
      n_(n),
      cut_z_(cut_z),
      cut_y_(cut_y),
      own_(allocate_zeros(static_cast<std::size_t>(planes * rows) * row_size())),
      table_(static_cast<std::size_t>((planes + 2) * (rows + 2)), nullptr) {
  for (int z = 0; z < planes; ++z) {
    for (int y = 0; y < rows; ++y) {
      entry(z, y) = own_.get() + static_cast<std::size_t>(z * rows + y) * row_size() + 1;
    }
  }
  wrap();
}

field::side field::border(direction d) const noexcept {
  return {side_of(d.dz, planes_), side_of(d.dy, rows_)};
}

field::side field::ghosts(direction d) const noexcept {
  return {ghosts_of(d.dz, planes_), ghosts_of(d.dy, rows_)};
}

void field::place_ghosts(direction d, double* memory) noexcept {
  const side where = ghosts(d);
  for (int z = where.z.begin; z < where.z.end; ++z) {
    for (int y = where.y.begin; y < where.y.end; ++y) {
      entry(z, y) = memory + 1;
      memory += row_size();
    }
  }
}

void field::wrap() noexcept {
  if (!cut_y_) {
    for (int z = -1; z <= planes_; ++z) {
      entry(z, -1) = entry(z, rows_ - 1);
      entry(z, rows_) = entry(z, 0);
    }
  }
  if (!cut_z_) {
    for (int y = -1; y <= rows_; ++y) {
      entry(-1, y) = entry(planes_ - 1, y);
      entry(planes_, y) = entry(0, y);
    }
  }
}

void field::clear() noexcept {
  for (double* const row : table_) {
    if (row != nullptr) std::fill_n(row - 1, row_size(), 0.0);
  }
}

}  // namespace far::apps::mg
