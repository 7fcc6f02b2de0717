#include "apps/kv/serve.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apps/common/output.hpp"
#include "bindings/kv/item_size.hpp"

namespace far::apps::kv {
namespace {

/// Whether it is the rank that opens the sockets of its machine.
bool is_first_of_machine(const world& world) {
  int first = 0;
  while (world.node_of(first) != world.node_of(world.rank())) ++first;
  return first == world.rank();
}

}  // namespace

void serve(const world& world, const command& asked) {
  // Each rank's part must hold a few of the largest items, however little memory is asked for.
  constexpr std::uint64_t min_items = 3;
  const std::uint64_t min_bytes =
      min_items * asked.max_item_bytes * static_cast<std::uint64_t>(world.size());
  const store items(world, {.memory_bytes = std::max(asked.memory_bytes, min_bytes),
                            .max_item_bytes = far::kv::store_item_bytes(asked.max_item_bytes),
                            .evicts = asked.evicts});
  kv_server here(world, items, asked.serving);
  if (is_first_of_machine(world)) {
    for (const std::string& address : here.addresses()) {
      print_result(fmt::format("far-kv listens on {}\n", address));
    }
  }
  here.wait();
}

}  // namespace far::apps::kv
