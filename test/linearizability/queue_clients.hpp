#pragma once
// Clients of one queue of small capacity: ranks that push and pop, and their results.

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "far/base/random.hpp"
#include "test/linearizability/clients.hpp"
#include "test/linearizability/weak_queue.hpp"
#include "test/support/seed.hpp"

namespace far::linearizability {

using queue_log = history_of<queue_specification>;

class queue_clients_test : public clients_test {
 protected:
  queue_clients_test() { seeds = 200; }

  /// Each rank does random pushes and pops through the view that views_of(queue, random numbers)
  /// returns, which may differ each time. The queue has a capacity of 1 to 3, at any rank.
  template <class Queue, class ViewsOf>
  void expect_histories(empty_excuse excuse, int of_fibers, int of_threads, ViewsOf views_of) {
    queue_log log(GetParam().count);
    run([&, n = rounds(of_fibers, of_threads)](world& w) {
      if (w.rank() == 0) log.clear();
      barrier(w);
      const auto capacity = static_cast<std::size_t>(1 + test::seed() % 3);
      Queue queue(w, static_cast<int>(test::seed()) % w.size(), capacity);
      base::random random(base::mix(test::seed()) + static_cast<unsigned>(w.rank()));
      auto views = views_of(queue, random);
      for (int i = 0; i < n; ++i) {
        views([&](auto& view) { use(view, w.rank(), random, log, w.rank() * n + i); });
      }
      barrier(w);
      if (w.rank() == 0) {
        EXPECT_TRUE(is_weakly_linearizable(queue_specification{capacity}, log.calls(), excuse));
      }
    });
  }

 private:
  template <class View>
  static void use(View& view, int process, base::random& random, queue_log& log, int number) {
    if (random.below(2) == 0) {
      const auto asked = log.invoke(process, queue_operation::try_pop());
      const auto got = view.try_pop();
      log.respond(asked, got ? queue_result::popped(*got) : queue_result::refused());
    } else {
      const auto value = static_cast<std::uint64_t>(number);
      const auto asked = log.invoke(process, queue_operation::try_push(value));
      const bool done = view.try_push(value);
      log.respond(asked, done ? queue_result::pushed() : queue_result::refused());
    }
  }
};

}  // namespace far::linearizability
