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

/// Uses a view that is outside otherwise.
class inside {
 public:
  explicit inside(objects::thread_access& view) : view_(&view) { view.end_outside(); }
  ~inside() noexcept(false) { view_->begin_outside(); }
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;
  [[nodiscard]] objects::thread_access& view() const noexcept { return *view_; }

 private:
  objects::thread_access* view_;
};

/// A queue of messages, for who is in its monitor.
class queue {
 public:
  queue(objects::thread_access& view, objects::place at) : view_(&view), at_(at) { view.enter(at); }
  ~queue() noexcept(false) { view_->exit(at_); }
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;

  [[nodiscard]] std::uint64_t read(std::uint64_t i) const {
    return *reinterpret_cast<const std::uint64_t*>(view_->element(at_, i, words(), false));
  }
  void write(std::uint64_t i, std::uint64_t value) const {
    *reinterpret_cast<std::uint64_t*>(view_->element(at_, i, words(), true)) = value;
  }
  void wait() const { (void)view_->wait(at_, fabric::never); }
  void notify_all() const { view_->notify(at_, ~std::uint32_t{0}); }

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

void rank::enter(int slot, objects::place object) {
  const inside in(threads_[static_cast<std::size_t>(slot)]);
  in.view().enter(object);
}

void rank::exit(int slot, objects::place object) {
  const inside in(threads_[static_cast<std::size_t>(slot)]);
  in.view().exit(object);
}

void rank::post(int slot, int to, const message& m) {
  const inside in(threads_[static_cast<std::size_t>(slot)]);
  for (;;) {
    {
      const queue q(in.view(), queues_[static_cast<std::size_t>(to)]);
      const std::uint64_t at = q.read(put);
      if (at - q.read(taken) < capacity) {
        const std::uint64_t word = first + at % capacity * message_words;
        q.write(word, m.kind);
        q.write(word + 1, m.a);
        q.write(word + 2, m.b);
        q.write(put, at + 1);
        q.notify_all();
        return;
      }
    }
    std::this_thread::yield();
  }
}

rank::message rank::take(int slot) {
  const inside in(threads_[static_cast<std::size_t>(slot)]);
  const queue q(in.view(), queues_[static_cast<std::size_t>(world().rank())]);
  while (q.read(taken) == q.read(put)) q.wait();
  const std::uint64_t at = q.read(taken);
  const std::uint64_t word = first + at % capacity * message_words;
  const message m{q.read(word), q.read(word + 1), q.read(word + 2)};
  q.write(taken, at + 1);
  return m;
}

}  // namespace far::java
