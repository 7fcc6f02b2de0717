// Put, get and fetch-and-add between two ranks, by size: the first rank is the origin, the last one
// the target (row D1). The same program on mapped memory, and simulated by `far sim`.

#include <memory>

#include <fmt/format.h>

#include "bench/harness/measure.hpp"
#include "bench/papers/transfer_claims.hpp"
#include "bench/transfers.hpp"
#include "far/base/environment.hpp"
#include "far/far.hpp"

namespace far::bench {
namespace {

constexpr std::size_t sizes[] = {8, 512, 4096, 65536, 1 << 20, 4 << 20};
constexpr std::size_t max_bytes = 4 << 20;
constexpr std::size_t bytes_of_a_row = 32 << 20;  // to move for each row, within the limits below
constexpr std::size_t min_times = 8;
constexpr std::size_t max_times = 1000;

/// Null unless the job is simulated on a machine of the paper.
const paper_machine* paper_here() {
  return paper_machine_of(std::string(base::environment_text("FAR_SIM_PROFILE")));
}

std::string size_text(std::size_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  return bytes < (1 << 20) ? fmt::format("{} KB", bytes >> 10) : fmt::format("{} MB", bytes >> 20);
}

template <class Once>
double time_of(const world& world, std::size_t bytes, Once once) {
  const std::size_t times = std::clamp(bytes_of_a_row / bytes, min_times, max_times);
  once();
  const std::uint64_t begin = world.fabric().now();
  for (std::size_t i = 0; i < times; ++i) once();
  return static_cast<double>(world.fabric().now() - begin) / static_cast<double>(times);
}

/// Adds a row, with the paper's time if there is one.
void add_row(report& result, const char* verb, std::size_t bytes, double ns) {
  row line{fmt::format("{} {}", verb, size_text(bytes)),
           ns,
           {},
           {},
           {},
           fmt::format("{:.3f} GB/s", static_cast<double>(bytes) / ns)};
  const bool puts = std::string_view(verb) == "put";
  if (const paper_machine* const paper = paper_here()) {
    const double mb_s = puts ? paper->put_mb_s : paper->get_mb_s;
    if (bytes == sizes[0]) line.peers["paper"] = puts ? paper->put_ns : paper->get_ns;
    if (bytes == max_bytes) line.peers["paper"] = 1000 * static_cast<double>(bytes) / mb_s;
  }
  result.rows.push_back(std::move(line));
}

void measure(world& world, report& result) {
  const auto there = allocate<std::byte>(world, max_bytes).on(world.size() - 1);
  const std::unique_ptr<std::byte[]> buffer(new std::byte[max_bytes]());
  barrier(world);
  if (world.rank() == 0) {
    for (const std::size_t bytes : sizes) {
      const std::span<std::byte> here(buffer.get(), bytes);
      add_row(result, "put", bytes, time_of(world, bytes, [&] { put(world, there, here); }));
    }
    for (const std::size_t bytes : sizes) {
      const std::span<std::byte> here(buffer.get(), bytes);
      add_row(result, "get", bytes, time_of(world, bytes, [&] { get(world, there, here); }));
    }
    const atomic_ref<std::uint64_t> word(world, reinterpret_pointer_cast<std::uint64_t>(there));
    const double ns = time_of(world, sizeof(std::uint64_t), [&] { keep(word.fetch_add(1)); });
    row line{"fetch-and-add 8 bytes", ns, {}, {}, {}, ""};
    if (const paper_machine* const paper = paper_here()) {
      line.peers["paper"] = paper->interface_atomic_ns;
    }
    result.rows.push_back(std::move(line));
    result.measured =
        fmt::format("transfers: rank 0 to and from rank {}, which waits, one after another; {}.",
                    world.size() - 1, world.fabric().name());
  }
  barrier(world);
}

}  // namespace

report measure_transfers_in_job() {
  report result;
  run([&](world& world) { measure(world, result); });
  return result;
}

}  // namespace far::bench
