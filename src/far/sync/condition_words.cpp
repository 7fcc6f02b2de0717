#include "far/sync/condition_words.hpp"

#include <exception>

#include "far/memory/allocate.hpp"

namespace far::sync {

condition_words::condition_words(const world& world, int home)
    : world_(world),
      home_(home),
      lists_(allocate<waiter_list>(world).on(world.rank())),
      nodes_(allocate<queue_node>(world).on(world.rank())),
      threads_(world, nodes_, 1) {
  // Last, because its constructor ends with an agreement of all ranks: then the words exist.
  lock_.emplace(world, home);
}

condition_words::~condition_words() {
  lock_.reset();  // after this no rank uses the words
  try {
    threads_.free();
    deallocate(world_, nodes_);
    deallocate(world_, lists_);
  } catch (const std::exception&) {
    // The job has failed: its memory goes with it.
  }
}

}  // namespace far::sync
