// Registers the rank's heaps with UCX, so that other nodes can read and write them.
//
// Some NICs (InfiniBand, RoCE) pin registered memory: all of the heaps, used or not. Elsewhere the
// default size costs nothing, but pinned heaps of that size would fill the machine until its kernel
// kills processes. So if heaps are that large, one page is registered first, to see whether it is
// pinned.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/ucx/link.hpp"

namespace far::fabric::ucx {
namespace {

constexpr const char* cure = "set FAR_SYMMETRIC_HEAP and FAR_LOCAL_HEAP to what the program needs";

std::size_t window_bytes(const segment_layout& layout) {
  std::size_t bytes = 0;
  for (std::size_t s = 0; s < layout.bytes.size(); ++s) {
    bytes = std::max<std::size_t>(bytes, layout.begin[s] + layout.bytes[s]);
  }
  return bytes;
}

ucs_status_t map(ucp_context_h context, void* begin, std::size_t bytes, ucp_mem_h& result) {
  ucp_mem_map_params_t memory{};
  memory.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                      UCP_MEM_MAP_PARAM_FIELD_FLAGS;
  memory.address = begin;
  memory.length = bytes;
  memory.flags = UCP_MEM_MAP_NONBLOCK;
  return ucp_mem_map(context, &memory, &result);
}

/// Pinned memory of this process, in KB.
std::uint64_t pinned() {
  constexpr std::string_view field = "VmPin:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field)) return std::strtoull(line.c_str() + field.size(), nullptr, 10);
  }
  return 0;
}

std::uint64_t machine_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void link::register_heaps() {
  void* const begin = home_->local(address(home_->rank(), symmetric_segment, 0));
  const std::size_t bytes = window_bytes(home_->layout());
  const auto ranks_here = static_cast<std::uint64_t>(home_->job().shape().ranks);
  if (bytes > machine_memory() / ranks_here) {
    constexpr std::size_t page = 4096;
    const std::uint64_t before = pinned();
    ucp_mem_h probe = nullptr;
    if (const ucs_status_t status = map(context_, begin, page, probe); status != UCS_OK) {
      fail("cannot register a page of the heaps", status, cure);
    }
    const bool pins = pinned() > before;
    ucp_mem_unmap(context_, probe);
    if (pins) {
      throw fabric_error(fmt::format(
          "ucx: the interface pins all of a rank's heaps, {} MB, and this machine has {} MB of "
          "memory for {} ranks: {}",
          bytes >> 20, machine_memory() >> 20, ranks_here, cure));
    }
  }
  if (const ucs_status_t status = map(context_, begin, bytes, window_); status != UCS_OK) {
    const std::string what = fmt::format("cannot register the heaps ({} MB)", bytes >> 20);
    fail(what.c_str(), status,
         "an interface that pins them needs a limit of locked memory (ulimit -l) that is as large: "
         "raise it, or set FAR_SYMMETRIC_HEAP and FAR_LOCAL_HEAP to what the program needs");
  }
}

}  // namespace far::fabric::ucx
