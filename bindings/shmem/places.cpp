#include "shmem/places.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <array>
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

/// Of the heap and of the static data.
std::array<reach_tables, 2>& tables() {
  static auto* const the = new std::array<reach_tables, 2>;
  return *the;
}

std::unique_ptr<std::byte*[]> all_places(fabric::reach_table table, const world& world,
                                         fabric::address first) {
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
  const fabric::fabric& fabric = world.fabric();
  const auto rank = static_cast<std::size_t>(world.rank());
  const auto open = [&](area& in, reach_tables& reach, std::byte* base, fabric::address first) {
    reach.words = all_places(world.words(), world, first);
    reach.atomics = all_places(world.atomics(), world, first);
    in.base = reinterpret_cast<std::uintptr_t>(base);
    // A static variable has two places in its process: this PE's accesses use the program's.
    for (std::byte** const own : {&reach.words[rank], &reach.atomics[rank]}) {
      if (*own != nullptr) *own = base;
    }
    in.words = reach.words.get();
    in.atomics = reach.atomics.get();
    in.first = first;
  };
  const fabric::address heap(world.rank(), fabric::symmetric_segment, 0);
  open(places.heap, tables()[0], fabric.local(heap), heap);
  if (fabric.static_data() != nullptr) {
    const fabric::address data(world.rank(), fabric::static_segment, fabric::static_data_offset);
    open(places.statics, tables()[1], const_cast<std::byte*>(fabric.static_data()), data);
    places.statics.bytes =
        fabric.layout().bytes[fabric::static_segment] - fabric::static_data_offset;
  }
  places.is_coherent = fabric.coherent();
  places.waker = fabric::plain_waker(world.fabric());
  places.heap.bytes = extent_of(world);
  places.pes = checked ? 0 : static_cast<unsigned>(world.size());
}

void close_places() noexcept {
  places.pes = 0;
  places.is_coherent = false;
  places.waker = {};
  places.heap.bytes = 0;
  places.statics.bytes = 0;
}

void note_extent() { places.heap.bytes = extent_of(runtime::get().world()); }

std::byte* reached_in_statics(const void* place, std::uint64_t bytes, int pe, access how) noexcept {
  if (static_cast<unsigned>(pe) >= places.pes) return nullptr;
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

void check_symmetric(const void* place, std::uint64_t bytes) {
  const runtime& self = runtime::get();
  if (bytes > 0 && self.is_checked()) (void)address_of(place, bytes, self.pe());
}

fabric::address address_of(const void* place, std::uint64_t bytes, int pe) {
  const runtime& self = runtime::get();
  check_pe(pe);
  const std::uint64_t in_statics = places.statics.offset_of(place);
  if (places.statics.holds(in_statics, bytes)) {
    return places.statics.first.on(pe) + static_cast<std::int64_t>(in_statics);
  }
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
