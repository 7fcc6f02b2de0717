// A search tree of objects on all ranks. Threads of all ranks insert at the same time: each enters
// the monitor of one node after the other, and only where it inserts do others wait for it.
//
//   far run -n 4 example_tree

#include <cstdint>
#include <cstdio>
#include <random>

#include <far/far.hpp>

struct node {
  std::uint64_t key = 0;
  std::uint64_t count = 0;  // how often the key has been inserted
  far::ref<node> less, more;
};
template <>
struct far::object_type<node>
    : far::object_fields<node, &node::key, &node::count, &node::less, &node::more> {};

namespace {

void insert(far::object_view& space, far::ref<node> at, std::uint64_t key) {
  for (;;) {
    const auto lock = space.lock(at);  // at's monitor, until the end of this round
    const node now = space.read(at);
    if (key == now.key) {
      space.write(at).count = now.count + 1;
      return;
    }
    far::ref<node> next = key < now.key ? now.less : now.more;
    if (!next) {
      next = space.make<node>(key, 1u, nullptr, nullptr);  // in this rank's memory
      (key < now.key ? space.write(at).less : space.write(at).more) = next;
      return;
    }
    at = next;
  }
}

/// Prints nothing; counts the keys, and those that are out of order.
void walk(far::object_view& space, far::ref<node> at, std::uint64_t& keys, std::uint64_t& wrong) {
  if (!at) return;
  const node now = space.read(at);  // a copy: a reference is valid to the next safe point only
  if (now.less && space.read(now.less).key >= now.key) ++wrong;
  if (now.more && space.read(now.more).key <= now.key) ++wrong;
  walk(space, now.less, keys, wrong);
  keys += now.count;
  walk(space, now.more, keys, wrong);
}

}  // namespace

int main() {
  far::run([](far::world& world) {
    constexpr int inserted = 200;  // by each rank
    far::object_space space(world);
    if (world.rank() == 0) space.set_root("tree", space.make<node>(500u, 0u, nullptr, nullptr));
    space.barrier();

    const auto tree = space.root<node>("tree");
    std::mt19937 random(static_cast<unsigned>(world.rank()));
    for (int i = 0; i < inserted; ++i) insert(space, tree, random() % 1000);
    space.barrier();

    if (world.rank() == 0) {
      std::uint64_t keys = 0;
      std::uint64_t wrong = 0;
      walk(space, tree, keys, wrong);
      const auto all = static_cast<std::uint64_t>(inserted * world.size());
      if (keys != all || wrong > 0) throw far::error("the tree is wrong");
      std::printf("%llu keys in one tree of %d ranks\n", static_cast<unsigned long long>(keys),
                  world.size());
    }
    space.barrier();
  });
}
