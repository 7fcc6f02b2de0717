// Memory, transfers, atomics.

#include "far/c/memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bindings/c/atomics.hpp"
#include "bindings/c/session.hpp"
#include "bindings/c/status.hpp"

struct far_operation {
  far::future<void> done;
};

namespace far::c {
namespace {

using byte_ptr = ptr<std::byte>;

byte_ptr ptr_of(far_ptr memory) { return byte_ptr::from_bits(memory); }

/// What far_allocate has returned.
struct block final : structure {
  block(const far::world& all, std::uint64_t bytes)
      : world(all), memory(allocate<std::byte>(all, bytes)) {
    barrier(all);
  }
  ~block() override {
    if (!world.state().ended()) deallocate(world, memory);
  }

  far::world world;
  byte_ptr memory;
};

void check_parts(const far_part* parts, std::size_t count) {
  if (count > 0) check_not_null(parts, "far_start: the list");
}

std::unique_ptr<far_operation> started(future<void> done) {
  return std::make_unique<far_operation>(far_operation{std::move(done)});
}

}  // namespace
}  // namespace far::c

using namespace far::c;  // NOLINT: what follows is C's

extern "C" {

far_status far_allocate(uint64_t bytes, far_ptr* memory) {
  return guarded([&] {
    check_not_null(memory, "far_allocate: the result");
    const auto* const made =
        make_structure<block>([&](far::world& all) { return std::make_unique<block>(all, bytes); });
    session_here().name(made->memory.bits(), *made);
    *memory = made->memory.bits();
  });
}

far_status far_free(far_ptr memory) {
  return guarded([&] {
    if (memory == 0) return;
    const structure* const what = session_here().take_named(memory);
    if (what == nullptr) {
      throw far::bad_argument(
          "far_free: far_allocate has not returned this pointer, or it has been freed");
    }
    drop_structure(what);
  });
}

far_status far_allocate_here(uint64_t bytes, far_ptr* memory) {
  return guarded([&] {
    check_not_null(memory, "far_allocate_here: the result");
    *memory = far::allocate_local<std::byte>(lane_here().world(), bytes).bits();
  });
}

far_status far_free_here(far_ptr memory) {
  return guarded([&] {
    if (memory != 0) far::deallocate_local(lane_here().world(), ptr_of(memory));
  });
}

far_ptr far_ptr_on(far_ptr memory, int rank) { return ptr_of(memory).on(rank).bits(); }
int far_ptr_rank(far_ptr memory) { return ptr_of(memory).rank(); }
far_ptr far_ptr_plus(far_ptr memory, int64_t bytes) { return (ptr_of(memory) + bytes).bits(); }

far_status far_local(far_ptr memory, uint64_t bytes, void** place) {
  return guarded([&] {
    check_not_null(place, "far_local: the result");
    *place = far::local_span(lane_here().world(), ptr_of(memory), bytes).data();
  });
}

far_status far_put(far_ptr to, const void* from, size_t bytes) {
  return guarded([&] {
    if (bytes > 0) check_not_null(from, "far_put: the buffer");
    far::rma::put_bytes(lane_here().world(), ptr_of(to).address(), from, bytes);
  });
}

far_status far_get(void* to, far_ptr from, size_t bytes) {
  return guarded([&] {
    if (bytes > 0) check_not_null(to, "far_get: the buffer");
    far::rma::get_bytes(lane_here().world(), ptr_of(from).address(), to, bytes);
  });
}

far_status far_start_put(const far_part* parts, size_t count, far_operation** operation) {
  return guarded([&] {
    check_not_null(operation, "far_start_put: the result");
    check_parts(parts, count);
    std::vector<far::put_part> list;
    list.reserve(count);
    for (const far_part& p : std::span(parts, count)) {
      list.push_back({ptr_of(p.remote).address(), p.local, p.bytes});
    }
    *operation = started(far::put_async(lane_here().world(), list)).release();
  });
}

far_status far_start_get(const far_part* parts, size_t count, far_operation** operation) {
  return guarded([&] {
    check_not_null(operation, "far_start_get: the result");
    check_parts(parts, count);
    std::vector<far::get_part> list;
    list.reserve(count);
    for (const far_part& p : std::span(parts, count)) {
      list.push_back({ptr_of(p.remote).address(), p.local, p.bytes});
    }
    *operation = started(far::get_async(lane_here().world(), list)).release();
  });
}

far_status far_wait(far_operation* operation) {
  return guarded([&] {
    const lane& mine = lane_here();
    const std::unique_ptr<far_operation> ending(operation);
    if (ending != nullptr) ending->done.wait(mine.world());
  });
}

far_status far_test(const far_operation* operation, int* done) {
  return guarded([&] {
    check_not_null(operation, "far_test: the operation");
    check_not_null(done, "far_test: the result");
    lane_here().world().progress();
    *done = operation->done.ready() ? 1 : 0;
  });
}

far_status far_flush(int rank) {
  return guarded([&] {
    const session& in = session_here();
    if (rank < -1 || rank >= in.size()) {
      throw far::bad_argument(
          fmt::format("far_flush: there is no rank {} of {}; -1 is all", rank, in.size()));
    }
    far::flush(lane_here().world(), rank < 0 ? far::fabric::all_ranks : rank);
  });
}

far_status far_atomic(far_ptr word, int width, int op, uint64_t operand, uint64_t compare,
                      uint64_t* old) {
  return guarded([&] {
    if (word == 0) throw far::bad_argument("far_atomic: a null pointer");
    const atomic_request request{op, operand, compare, old};
    const far::world& world = lane_here().world();
    perform_atomic("far_atomic", width, request, [&]<class T>() {
      const auto place = far::reinterpret_pointer_cast<T>(ptr_of(word));
      if (place.address().offset() % sizeof(T) != 0) {
        throw far::bad_argument("far_atomic: the word is not aligned to its width");
      }
      return far::atomic_ref<T>(world, place);
    });
  });
}
}
