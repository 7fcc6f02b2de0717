#include "shmem/places.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <memory>
#include <string>

#include <far/base/error.hpp>
#include <far/fabric/reach.hpp>
#include <fmt/format.h>

#include "shmem/blocks.hpp"
#include "shmem/runtime.hpp"

namespace far::shmem {

constinit place_table places;

namespace {

struct reach_tables {
  std::unique_ptr<std::byte*[]> words;
  std::unique_ptr<std::byte*[]> atomics;
};

reach_tables& tables() {
  static auto* const the = new reach_tables;
  return *the;
}

std::unique_ptr<std::byte*[]> all_places(fabric::reach_table table, const world& world) {
  const fabric::address first(world.rank(), fabric::symmetric_segment, 0);
  auto result = fabric::reached_on_ranks(table, first, world.size());
  if (!result) result = std::make_unique<std::byte*[]>(static_cast<std::size_t>(world.size()));
  return result;
}

std::uint64_t extent_of(const world& world) {
  const std::uint64_t bytes = world.fabric().extent(world.rank(), fabric::symmetric_segment);
  return std::max(bytes, least_heap);
}

bool is_on_stack(const void* place) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(low) < bytes;
}

/// What memory it is that is not symmetric, and what to do.
std::string what_it_is(const void* place) {
  if (place == nullptr) return "a null pointer";
  if (is_on_stack(place)) return "an automatic variable: make it static, or allocate it";
  Dl_info where{};
  void* map = nullptr;
  if (dladdr1(place, &where, &map, RTLD_DL_LINKMAP) != 0) {
    const auto* const object = static_cast<const link_map*>(map);
    if (object != nullptr && object->l_name != nullptr && object->l_name[0] != '\0') {
      return fmt::format("of the shared object {}: allocate it", object->l_name);
    }
    return "of the program, but not in its static data: allocate it";
  }
  return "neither from shmem_malloc nor in the program's static data";
}

}  // namespace

void open_places(const world& world, bool checked) {
  tables().words = all_places(world.words(), world);
  tables().atomics = all_places(world.atomics(), world);
  places.heap.base = reinterpret_cast<std::uintptr_t>(
      world.fabric().local({world.rank(), fabric::symmetric_segment, 0}));
  places.heap.words = tables().words.get();
  places.heap.atomics = tables().atomics.get();
  places.heap.segment = fabric::symmetric_segment;
  places.is_coherent = world.fabric().coherent();
  places.heap.bytes = extent_of(world);
  places.pes = checked ? 0 : static_cast<unsigned>(world.size());
}

void close_places() noexcept {
  places.pes = 0;
  places.is_coherent = false;
  places.heap.bytes = 0;
  places.statics.bytes = 0;
}

void note_extent() { places.heap.bytes = extent_of(runtime::get().world()); }

std::byte* reached_in_statics(const void* place, std::uint64_t bytes, int pe, access how) noexcept {
  const area& statics = places.statics;
  const std::uint64_t offset = statics.offset_of(place);
  if (!statics.holds(offset, bytes)) return nullptr;
  std::byte* const there = (how == access::atomic ? statics.atomics : statics.words)[pe];
  return there == nullptr ? nullptr : there + offset;
}

void check_pe(int pe) {
  const int all = runtime::get().pes();
  if (pe >= 0 && pe < all) return;
  throw bad_argument(fmt::format("there is no PE {}: PEs are 0 to {}", pe, all - 1));
}

fabric::address address_of(const void* place, std::uint64_t bytes, int pe) {
  const runtime& self = runtime::get();
  check_pe(pe);
  const std::uint64_t in_statics = places.statics.offset_of(place);
  if (places.statics.holds(in_statics, bytes)) return {pe, places.statics.segment, in_statics};
  const std::uint64_t offset = places.heap.offset_of(place);
  const fabric::address result(pe, fabric::symmetric_segment, offset & fabric::address::max_offset);
  if (offset >= symmetric_capacity()) {
    throw out_of_bounds(
        fmt::format("the address {} is not symmetric: it is {}", place, what_it_is(place)));
  }
  if (self.is_checked() || !places.heap.holds(offset, bytes)) check_block(place, offset, bytes);
  return result;
}

}  // namespace far::shmem
