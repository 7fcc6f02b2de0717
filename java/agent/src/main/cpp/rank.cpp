#include "rank.hpp"

#include <thread>
#include <utility>

#include <far/object/part.hpp>

namespace far::java {
namespace {

/// Words of a queue: how many messages have been taken and put, then the messages in a ring.
constexpr std::uint64_t taken = 0;
constexpr std::uint64_t put = 1;
constexpr std::uint64_t first = 2;
constexpr std::uint64_t capacity = 2048;
constexpr std::uint64_t message_words = 3;

/// The contexts that others use: the job's own, that for data, and the service thread's.
constexpr int other_contexts = 3;

std::string queue_name(int rank) { return "java:messages:" + std::to_string(rank); }

far::world view_on(const far::world& world, std::vector<std::unique_ptr<fabric::context>>& all) {
  all.push_back(world.fabric().open_context());
  return {world.state(), *all.back()};
}

}  // namespace

rank::rank(const object_space_options& options)
    : space_(job_.world(), options), data_(view_on(job_.world(), contexts_), space_.shared_part()) {
  const int n = job_.world().fabric().max_contexts() - other_contexts;
  for (int i = 0; i < n; ++i) {
    threads_.emplace_back(view_on(job_.world(), contexts_), space_.shared_part());
  }
  space_.set_root(queue_name(world().rank()),
                  space_.make_array<std::uint64_t>(first + capacity * message_words));
  space_.barrier();
  for (int r = 0; r < world().size(); ++r) {
    queues_.push_back(space_.root<std::uint64_t[]>(queue_name(r)));
  }
}

bool rank::coherent() { return space_.shared_part()->coherent; }

const objects::type_descriptor* rank::add_type(std::string name, std::size_t size,
                                               std::vector<objects::cell> cells) {
  const std::string& kept = names_.emplace_back(std::move(name));
  return &types_.emplace_back(kept, size, 8 < size ? 8 : size, std::move(cells));
}

void rank::post(int slot, int to, const message& m) {
  object_view& view = thread(slot);
  const queue q = queues_[static_cast<std::size_t>(to)];
  for (;;) {
    {
      const auto lock = view.lock(q);
      const std::uint64_t at = view.read(q, put);
      if (at - view.read(q, taken) < capacity) {
        const std::uint64_t word = first + at % capacity * message_words;
        view.write(q, word) = m.kind;
        view.write(q, word + 1) = m.a;
        view.write(q, word + 2) = m.b;
        view.write(q, put) = at + 1;
        view.monitor(q).notify_all();
        return;
      }
    }
    std::this_thread::yield();
  }
}

rank::message rank::take(int slot) {
  object_view& view = thread(slot);
  const queue q = queues_[static_cast<std::size_t>(world().rank())];
  const auto lock = view.lock(q);
  view.monitor(q).wait([&] { return view.read(q, taken) != view.read(q, put); });
  const std::uint64_t at = view.read(q, taken);
  const std::uint64_t word = first + at % capacity * message_words;
  const message m{view.read(q, word), view.read(q, word + 1), view.read(q, word + 2)};
  view.write(q, taken) = at + 1;
  return m;
}

}  // namespace far::java
