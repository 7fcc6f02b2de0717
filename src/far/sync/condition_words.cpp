#include "far/sync/condition_words.hpp"

#include <exception>

#include "far/memory/allocate.hpp"

namespace far::sync {

condition_words::condition_words(const world& view, int home)
    : view_(view),
      home_(home),
      lists_(allocate<waiter_list>(view).on(view.rank())),
      nodes_(allocate<queue_node>(view).on(view.rank())),
      threads_(view, nodes_, 1) {
  // Last, because its constructor ends with an agreement of all ranks: then the words exist.
  lock_.emplace(view, home);
}

condition_words::~condition_words() {
  lock_.reset();  // after this no rank uses the words
  try {
    threads_.free();
    deallocate(view_, nodes_);
    deallocate(view_, lists_);
  } catch (const std::exception&) {
    // The job has failed: its memory goes with it.
  }
}

}  // namespace far::sync
