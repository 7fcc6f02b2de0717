#include "cached_memory.hpp"

#include <concepts>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include <fmt/format.h>

namespace far::python {
namespace {

template <class T>
class cached_of final : public cached_memory {
 public:
  cached_of(const far::world& world, std::uint64_t size, const cached_array_options& options)
      : it_(world, size, options) {}

  [[nodiscard]] std::uint64_t size() const override { return it_.size(); }
  [[nodiscard]] std::uint64_t chunk() const override { return it_.chunk_size(); }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> local_bounds() const override {
    return {it_.local_begin(), it_.local_end()};
  }
  [[nodiscard]] int owner(std::uint64_t i) const override { return it_.owner(i); }
  [[nodiscard]] std::string explain() const override { return it_.explain(); }

  void get(const far::world& world, std::uint64_t i, std::byte* to) const override {
    *reinterpret_cast<T*>(to) = on(world).get(i);
  }
  void put(const far::world& world, std::uint64_t i, const std::byte* from) const override {
    on(world).put(i, *reinterpret_cast<const T*>(from));
  }
  void read(const far::world& world, std::uint64_t first, std::span<std::byte> to) const override {
    on(world).get(first, {reinterpret_cast<T*>(to.data()), to.size() / sizeof(T)});
  }
  void write(const far::world& world, std::uint64_t first,
             std::span<const std::byte> from) const override {
    on(world).put(first, {reinterpret_cast<const T*>(from.data()), from.size() / sizeof(T)});
  }
  void read_at(const far::world& world, std::span<const std::uint64_t> at,
               std::byte* to) const override {
    std::ranges::copy(on(world).get_many(at), reinterpret_cast<T*>(to));
  }
  void write_at(const far::world& world, std::span<const std::uint64_t> at,
                const std::byte* from) const override {
    const auto* next = reinterpret_cast<const T*>(from);
    const auto& view = on(world);
    for (const std::uint64_t i : at) view.put(i, *next++);
  }
  void apply_at(const far::world& world, std::span<const std::uint64_t> at,
                std::span<const std::byte> operands, combining how) const override {
    const auto* const given = reinterpret_cast<const T*>(operands.data());
    std::vector<T> copies;
    if (operands.size() == sizeof(T)) copies.assign(at.size(), *given);
    const std::span<const T> list(copies.empty() ? given : copies.data(), at.size());
    const auto by = [&](auto op) { on(world).apply_many(at, list, op); };
    if (how == combining::sum) return by(std::plus<>());
    if (how == combining::min) return by(minimum());
    if (how == combining::max) return by(maximum());
    if constexpr (std::integral<T>) {
      if (how == combining::bit_and) return by(std::bit_and<>());
      if (how == combining::bit_or) return by(std::bit_or<>());
      if (how == combining::bit_xor) return by(std::bit_xor<>());
    }
    throw bad_argument("a cached array updates by sum, min, max, and of integers and, or, xor");
  }
  void lock(const far::world& world, std::uint64_t i, bool shared) const override {
    const element_mutex of = on(world).lock_of(i);
    shared ? of.lock_shared() : of.lock();
  }
  void unlock(const far::world& world, std::uint64_t i, bool shared) const override {
    const element_mutex of = on(world).lock_of(i);
    shared ? of.unlock_shared() : of.unlock();
  }
  void fill(const far::world& world, const std::byte* value) const override {
    far::fill(on(world), *reinterpret_cast<const T*>(value));
  }
  void prefetch(const far::world& world, std::uint64_t first, std::uint64_t n) const override {
    on(world).prefetch(first, n);
  }

 private:
  /// The view of a lane of the session: each has one, which remembers where it was last.
  [[nodiscard]] const cached_view<T>& on(const far::world& world) const {
    fabric::context* const lane = &world.context();
    if (lane == &it_.world().context()) [[likely]]
      return it_;
    const std::scoped_lock lock(adding_);
    const auto found = others_.find(lane);
    return found != others_.end() ? found->second
                                  : others_.emplace(lane, it_.on(world)).first->second;
  }

  cached_array<T> it_;
  mutable std::mutex adding_;
  mutable std::map<fabric::context*, cached_view<T>> others_;
};

}  // namespace

std::unique_ptr<cached_memory> make_cached(const far::world& world, std::uint64_t size,
                                           std::string_view code,
                                           const cached_array_options& options) {
  if (code == "f8") return std::make_unique<cached_of<double>>(world, size, options);
  if (code == "i8") return std::make_unique<cached_of<std::int64_t>>(world, size, options);
  if (code == "u8") return std::make_unique<cached_of<std::uint64_t>>(world, size, options);
  if (code == "f4") return std::make_unique<cached_of<float>>(world, size, options);
  if (code == "i4") return std::make_unique<cached_of<std::int32_t>>(world, size, options);
  if (code == "u4") return std::make_unique<cached_of<std::uint32_t>>(world, size, options);
  throw bad_argument("a cached array has integers or floating-point numbers of 4 or 8 bytes");
}

}  // namespace far::python
