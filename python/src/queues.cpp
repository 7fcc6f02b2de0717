// Queues of slots of some sizes; an element takes the next larger one.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bindings.hpp"
#include "buffers.hpp"
#include "jobs.hpp"

namespace far::python {
namespace {

/// A queue of slots, by their bytes.
struct slot_queue : structure {
  [[nodiscard]] virtual std::size_t slot_bytes() const = 0;
  /// Waits for room or, if it need not, returns whether there was any.
  virtual bool push(const far::world& world, std::span<const std::byte> slots, bool waits) = 0;
  /// Returns how many slots were filled; 0 if there was nothing and it need not wait.
  virtual std::size_t pop(const far::world& world, std::span<std::byte> slots, bool waits) = 0;
};

template <std::size_t Bytes>
struct slot {
  std::array<std::byte, Bytes> bytes;
};

template <std::size_t Bytes>
class queue_of final : public slot_queue {
  using element = slot<Bytes>;

 public:
  queue_of(const far::world& world, int host, std::uint64_t capacity)
      : it_(world, host, capacity) {}

  [[nodiscard]] std::size_t slot_bytes() const override { return Bytes; }
  bool push(const far::world& world, std::span<const std::byte> slots, bool waits) override {
    const std::span<const element> list(reinterpret_cast<const element*>(slots.data()),
                                        slots.size() / Bytes);
    auto view = it_.on(world);
    if (!waits) return view.try_push(list);
    view.push(list);
    return true;
  }
  std::size_t pop(const far::world& world, std::span<std::byte> slots, bool waits) override {
    const std::span<element> list(reinterpret_cast<element*>(slots.data()), slots.size() / Bytes);
    auto view = it_.on(world);
    return waits ? view.pop(list) : view.try_pop(list);
  }

 private:
  queue<element> it_;
};

std::unique_ptr<slot_queue> make_queue(const far::world& world, std::uint64_t bytes, int host,
                                       std::uint64_t capacity) {
  if (bytes <= 8) return std::make_unique<queue_of<8>>(world, host, capacity);
  if (bytes <= 32) return std::make_unique<queue_of<32>>(world, host, capacity);
  if (bytes <= 128) return std::make_unique<queue_of<128>>(world, host, capacity);
  if (bytes <= 512) return std::make_unique<queue_of<512>>(world, host, capacity);
  if (bytes <= 2048) return std::make_unique<queue_of<2048>>(world, host, capacity);
  if (bytes <= 8192) return std::make_unique<queue_of<8192>>(world, host, capacity);
  throw bad_argument(
      fmt::format("a queue's elements have up to 8192 bytes, not {}; put larger ones into an "
                  "array or a map, and their keys into the queue",
                  bytes));
}

class py_queue {
 public:
  py_queue(const py_world& world, std::uint64_t bytes, int host, std::uint64_t capacity)
      : in_(world.in), it_(in_->make<slot_queue>([&](const far::world& view) {
          return make_queue(view, bytes, host, capacity);
        })) {}

  [[nodiscard]] std::size_t slot_bytes() const { return it()->slot_bytes(); }
  bool push(const buffer_of<const std::uint8_t>& slots, bool waits) {
    const std::span<const std::byte> list(reinterpret_cast<const std::byte*>(slots.data()),
                                          slots.size());
    const auto kept = it();
    return in_->detached([&](const far::world& view) { return kept->push(view, list, waits); });
  }
  std::size_t pop(const buffer_of<std::uint8_t>& slots, bool waits) {
    const std::span<std::byte> list(reinterpret_cast<std::byte*>(slots.data()), slots.size());
    const auto kept = it();
    return in_->detached([&](const far::world& view) { return kept->pop(view, list, waits); });
  }
  void free() { it_.reset(); }

 private:
  [[nodiscard]] std::shared_ptr<slot_queue> it() const {
    in_->check();
    if (!it_) throw job_ended("the queue was freed");
    return it_;
  }

  std::shared_ptr<session> in_;
  std::shared_ptr<slot_queue> it_;
};

}  // namespace

void define_queues(nb::module_& module) {
  nb::class_<py_queue>(module, "QueueBase")
      .def(nb::init<const py_world&, std::uint64_t, int, std::uint64_t>())
      .def_prop_ro("slot_bytes", &py_queue::slot_bytes)
      .def("_push", &py_queue::push)
      .def("_pop", &py_queue::pop)
      .def("_free", &py_queue::free);
}

}  // namespace far::python
