#include "rank.hpp"

#include <thread>
#include <utility>
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

const objects::type_descriptor& words() { return objects::descriptor_of<std::uint64_t>(); }

far::world view_on(const far::world& world, std::vector<std::unique_ptr<fabric::context>>& all) {
  all.push_back(world.fabric().open_context());
  return {world.state(), *all.back()};
}

/// A queue of messages, of who is in its monitor.
class queue {
 public:
  queue(objects::thread_access& view, objects::place at) : view_(&view), at_(at) {}

  [[nodiscard]] std::uint64_t read(std::uint64_t i) const {
    return *reinterpret_cast<const std::uint64_t*>(view_->element(at_, i, words(), false));
  }
  void write(std::uint64_t i, std::uint64_t value) const {
    *reinterpret_cast<std::uint64_t*>(view_->element(at_, i, words(), true)) = value;
  }
  [[nodiscard]] bool add(const rank::message& m) const {
    const std::uint64_t at = read(put);
    if (at - read(taken) == capacity) return false;
    const std::uint64_t word = first + at % capacity * message_words;
    write(word, m.kind);
    write(word + 1, m.a);
    write(word + 2, m.b);
    write(put, at + 1);
    return true;
  }

 private:
  objects::thread_access* view_;
  objects::place at_;
};

}  // namespace

rank::rank(const object_space_options& options)
    : part_(objects::make_part(job_.world(), options)),
      data_(view_on(job_.world(), contexts_), part_) {
  const int n = job_.world().fabric().max_contexts() - other_contexts;
  for (int i = 0; i < n; ++i) {
    threads_.emplace_back(view_on(job_.world(), contexts_), part_).begin_outside();
  }
  data_.set_root(queue_name(world().rank()),
                 data_.make(words(), first + capacity * message_words, true), words());
  data_.publish();
  barrier();
  data_.refresh();
  for (int r = 0; r < world().size(); ++r) queues_.push_back(data_.root(queue_name(r), words()));
}

const objects::type_descriptor* rank::add_type(std::string name, std::size_t size,
                                               std::vector<objects::cell> cells) {
  const std::string& kept = names_.emplace_back(std::move(name));
  return &types_.emplace_back(kept, size, 8 < size ? 8 : size, std::move(cells));
}

// Errors leave a view as it is: they end the process.

void rank::enter(int slot, objects::place object) {
  objects::thread_access& view = threads_[static_cast<std::size_t>(slot)];
  view.end_outside();
  view.enter(object);
  view.begin_outside();
}

void rank::exit(int slot, objects::place object) {
  objects::thread_access& view = threads_[static_cast<std::size_t>(slot)];
  view.end_outside();
  view.exit(object);
  view.begin_outside();
}

void rank::post(int slot, int to, const message& m) {
  objects::thread_access& view = threads_[static_cast<std::size_t>(slot)];
  const objects::place at = queues_[static_cast<std::size_t>(to)];
  view.end_outside();
  for (bool added = false; !added;) {
    view.enter(at);
    added = queue(view, at).add(m);
    if (added) view.notify(at, ~std::uint32_t{0});
    view.exit(at);
    if (!added) std::this_thread::yield();
  }
  view.begin_outside();
}

rank::message rank::take(int slot) {
  objects::thread_access& view = threads_[static_cast<std::size_t>(slot)];
  const objects::place at = queues_[static_cast<std::size_t>(world().rank())];
  view.end_outside();
  view.enter(at);
  const queue q(view, at);
  while (q.read(taken) == q.read(put)) (void)view.wait(at, fabric::never);
  const std::uint64_t next = q.read(taken);
  const std::uint64_t word = first + next % capacity * message_words;
  const message m{q.read(word), q.read(word + 1), q.read(word + 2)};
  q.write(taken, next + 1);
  view.exit(at);
  view.begin_outside();
  return m;
}

}  // namespace far::java
