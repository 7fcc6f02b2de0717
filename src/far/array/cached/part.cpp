#include "far/array/cached/part.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "far/array/blocks.hpp"
#include "far/array/cached_array.hpp"
#include "far/base/environment.hpp"
#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/homes/registry.hpp"
#include "far/team/barrier.hpp"

namespace far::cached {
namespace {

constexpr std::uint64_t line_bytes = 64;
constexpr std::uint64_t default_cache_bytes = 16 << 20;
constexpr std::uint64_t min_slots = 2;

std::uint64_t rounded(std::uint64_t bytes) noexcept {
  return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

/// So that places in memory, a few chunks each, can be computed.
void check_bytes(const char* what, std::uint64_t n, std::size_t element_bytes) {
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 56;
  if (n <= max_bytes / element_bytes) return;
  throw bad_argument(fmt::format("cached_array: {} of {} elements of {} bytes is more than 2^56",
                                 what, n, element_bytes));
}

/// Before anything is allocated, because ranks that allocate different sizes get different places.
void agree_on_options(const world& world, std::uint64_t n, const element_kind& kind,
                      const cached_array_options& options) {
  std::uint64_t mine = base::hash_combine(n, kind.bytes);
  mine = base::hash_combine(mine, options.chunk);
  for (const std::uint64_t begin : options.begins) mine = base::hash_combine(mine, begin);
  mine = base::hash_combine(mine, options.force_protocol ? 1 : 0);
  far::detail::agree_on_shape(world, mine, [&] {
    return fmt::format("a cached_array of {} elements of {} bytes in chunks of {}", n, kind.bytes,
                       options.chunk);
  });
}

/// An exploration of orders has a clock, too, but it counts steps.
bool is_timed(const fabric::fabric& rank) { return rank.name() != "sim"; }

/// The number of slots that could ever be used: a line of data for each chunk, and operands of a
/// few threads.
std::uint64_t max_slots(const part_settings& settings) noexcept {
  return 4 * settings.map.chunks();
}

}  // namespace

part::part(const world& world, const part_settings& settings)
    : homes::part(world),
      state(&world.state()),
      map(settings.map),
      element_bytes(settings.element_bytes),
      coherent(settings.coherent),
      elements(allocate<std::byte>(world, map.largest_part() * element_bytes)),
      slot_bytes(rounded(map.chunk_size() * element_bytes)),
      slots(allocate_local<std::byte>(world, settings.limits.slots * slot_bytes)),
      slot_memory(local_span(world, slots, settings.limits.slots * slot_bytes).data()),
      probe(allocate<std::uint64_t>(world)),
      inline_bytes(world.fabric().max_payload() - sizeof(std::uint64_t) * 8),
      lines(*this, settings.limits),
      directory(*this) {
  if (slot_bytes <= inline_bytes || coherent) return;
  const std::uint64_t bytes = slot_bytes * staging_area::buffers;
  staging = staging_area(allocate_local<std::byte>(world, bytes), slot_bytes);
}

std::byte* part::home_memory(std::uint64_t chunk) const noexcept {
  return state->fabric().local(home_address(chunk));
}

std::byte* part::coherent_memory(std::uint64_t chunk) const noexcept {
  const int owner = map.owner_of_chunk(chunk);
  const std::uint64_t first = (chunk - map.first_chunk(owner)) * map.chunk_size();
  return state->fabric().direct(elements.on(owner).address() +
                                static_cast<std::int64_t>(first * element_bytes));
}

plain_elements part::elements_of(int owner) const noexcept {
  const std::uint64_t first = map.begin(owner);
  if (first == map.end(owner)) return {};
  std::byte* const data = coherent_memory(map.first_chunk(owner));
  return {first, map.end(owner) - first, data - first * element_bytes};
}

fabric::address part::home_address(std::uint64_t chunk) const noexcept {
  const std::uint64_t first = (chunk - map.first_chunk(rank)) * map.chunk_size();
  return elements.address() + static_cast<std::int64_t>(first * element_bytes);
}

std::shared_ptr<part> make_part(const world& world, std::uint64_t n, const element_kind& kind,
                                const cached_array_options& options) {
  check_bytes("an array", n, kind.bytes);
  check_bytes("cached_array_options::chunk", options.chunk, kind.bytes);
  agree_on_options(world, n, kind, options);
  part_settings settings;
  settings.map = options.begins.empty()
                     ? detail::chunk_map(n, world.size(), options.chunk)
                     : detail::chunk_map(n, world.size(), options.chunk, options.begins);
  settings.element_bytes = kind.bytes;
  settings.coherent = world.fabric().coherent() && kind.is_word && !options.force_protocol;
  if (options.low < 0 || options.low > options.high || options.high > 100) {
    throw bad_argument(
        fmt::format("cached_array: watermarks {} and {}, want 0 <= low <= high <= 100", options.low,
                    options.high));
  }
  const std::uint64_t wanted = options.cache_bytes != 0
                                   ? options.cache_bytes
                                   : base::environment_size("FAR_ARRAY_CACHE", default_cache_bytes);
  const std::uint64_t slot = rounded(std::max<std::uint64_t>(options.chunk * kind.bytes, 1));
  settings.limits = {settings.coherent ? 0 : std::max(wanted / slot, min_slots),
                     static_cast<std::uint64_t>(options.low),
                     static_cast<std::uint64_t>(options.high),
                     options.prefetch,
                     kind.is_atomic ? options.how : caching::always,
                     is_timed(world.fabric())};
  // A chunk of the cache is never used if there are not so many.
  settings.limits.slots = std::min(settings.limits.slots, std::max(min_slots, max_slots(settings)));
  auto made = std::make_shared<part>(world, settings);
  // With service, since hits make no progress, and element locks are messages where nothing is
  // cached, too.
  homes::open_part(world, made, "cached_array");
  return made;
}

std::shared_ptr<thread_record> open_record(const std::shared_ptr<part>& of) {
  const auto close = [of](thread_record* record) {
    const std::scoped_lock lock(of->mutex);
    of->lines.close_record(*record);
  };
  const std::scoped_lock lock(of->mutex);
  return {of->lines.open_record(), close};
}

caching_choices choices_of(part& of) {
  const std::scoped_lock lock(of.mutex);
  return of.lines.regions().choices();
}

std::string explain(part& of) {
  if (of.coherent) return "all ranks share one coherent memory: nothing is cached\n";
  const std::scoped_lock lock(of.mutex);
  return of.lines.regions().explain();
}

void release_part(const world& world, part& of, const collective_scope& scope) noexcept {
  homes::close_part(world, of, scope, [&](bool in_use) {
    deallocate(world, of.elements);
    deallocate(world, of.probe);
    if (in_use) return;
    deallocate_local(world, of.slots);
    deallocate_local(world, of.staging.memory());
  });
}

}  // namespace far::cached
