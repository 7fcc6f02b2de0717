#pragma once
// A cached array whose element type is known when the program runs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "session.hpp"
#include "types.hpp"

namespace far::python {

/// Indices have been checked. Elements are passed as their bytes, aligned as they are.
class cached_memory : public structure {
 public:
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  [[nodiscard]] virtual std::uint64_t chunk() const = 0;
  /// This rank's elements: the first, and the one after the last.
  [[nodiscard]] virtual std::pair<std::uint64_t, std::uint64_t> local_bounds() const = 0;
  [[nodiscard]] virtual int owner(std::uint64_t i) const = 0;
  [[nodiscard]] virtual std::string explain() const = 0;

  virtual void get(const far::world& world, std::uint64_t i, std::byte* to) const = 0;
  virtual void put(const far::world& world, std::uint64_t i, const std::byte* from) const = 0;
  virtual void read(const far::world& world, std::uint64_t first,
                    std::span<std::byte> to) const = 0;
  virtual void write(const far::world& world, std::uint64_t first,
                     std::span<const std::byte> from) const = 0;
  virtual void read_at(const far::world& world, std::span<const std::uint64_t> at,
                       std::byte* to) const = 0;
  virtual void write_at(const far::world& world, std::span<const std::uint64_t> at,
                        const std::byte* from) const = 0;
  /// operands: as many as indices, or one for all.
  /// Errors: bad_argument for an operation that the array cannot combine.
  virtual void apply_at(const far::world& world, std::span<const std::uint64_t> at,
                        std::span<const std::byte> operands, combining how) const = 0;
  virtual void lock(const far::world& world, std::uint64_t i, bool shared) const = 0;
  virtual void unlock(const far::world& world, std::uint64_t i, bool shared) const = 0;
  virtual void fill(const far::world& world, const std::byte* value) const = 0;
  virtual void prefetch(const far::world& world, std::uint64_t first, std::uint64_t n) const = 0;
};

/// Collective. Errors: as cached_array, and bad_argument for types that it does not have.
[[nodiscard]] std::unique_ptr<cached_memory> make_cached(const far::world& world,
                                                         std::uint64_t size, std::string_view code,
                                                         const cached_array_options& options);

}  // namespace far::python
