#include "bench/papers/transfer_loads.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "bench/papers/two_sided.hpp"
#include "far/base/error.hpp"
#include "far/sections/copy_charge.hpp"

namespace far::bench {
namespace {

constexpr std::uint64_t max_bytes = 1 << 20;
constexpr std::uint64_t leading_bytes = 4096;  // of the matrix that squares are parts of
constexpr int repeats = 4;                     // nothing is random, so few are enough
constexpr int in_flight = 16;
constexpr std::uint64_t computing_ns = 50'000;  // at a time, of a target that computes

/// The matrix at every rank, and memory for a dense copy of a part. Both are in segments.
struct bed {
  explicit bed(world& on)
      : view(on),
        matrix(allocate<std::byte>(on, max_bytes / sizeof(double) / 256 * leading_bytes)),
        buffer(allocate_local<std::byte>(on, max_bytes)),
        stop(allocate<std::uint64_t>(on)) {
    barrier(view);
  }

  [[nodiscard]] std::byte* memory() const { return view.fabric().local(buffer.address()); }
  [[nodiscard]] strided<ptr<std::byte>, 2> there(const transfer_shape& of) const {
    return patch(matrix.on(1), of.rows, of.row_bytes, of.rows == 1 ? of.row_bytes : leading_bytes);
  }
  [[nodiscard]] strided<std::byte*, 2> here(const transfer_shape& of) const {
    return patch(memory(), of.rows, of.row_bytes);
  }

  world& view;
  ptr<std::byte> matrix;
  ptr<std::byte> buffer;
  ptr<std::uint64_t> stop;
};

/// Runs `origin` on rank 0, while rank 1 waits or computes.
void run_between(transfer_jobs& on, const std::string& what, target meanwhile,
                 const std::function<void(bed&)>& origin) {
  on.run_on({}, what, [&](world& world) {
    bed at(world);
    if (world.rank() == 0) {
      origin(at);
      put(world, at.stop.on(1), std::uint64_t{1});
    } else if (meanwhile == target::computes) {
      while (world.context().peek(at.stop.address()) == 0) world.compute(computing_ns);
    }
    barrier(world);
  });
}

template <class Once>
double mean_ns(const world& world, Once once) {
  once();  // registers what it meets, and wakes who sleeps
  const std::uint64_t begin = world.now();
  for (int i = 0; i < repeats; ++i) once();
  return static_cast<double>(world.now() - begin) / repeats;
}

/// One of many in flight.
template <class Start>
double mean_of_many_ns(const world& world, Start start) {
  return mean_ns(world,
                 [&] {
                   std::vector<future<void>> all;
                   for (int i = 0; i < in_flight; ++i) all.push_back(start());
                   when_all(world, std::move(all)).get();
                 }) /
         in_flight;
}

}  // namespace

transfer_shape contiguous(std::uint64_t bytes) noexcept { return {1, bytes}; }

transfer_shape square(std::uint64_t bytes) noexcept {
  const auto side = static_cast<std::uint64_t>(
      std::sqrt(static_cast<double>(bytes) / static_cast<double>(sizeof(double))));
  return {std::max<std::uint64_t>(side, 1), std::max<std::uint64_t>(side, 1) * sizeof(double)};
}

std::vector<double> get_times(transfer_jobs& on, const std::string& what,
                              const std::vector<transfer_shape>& shapes, const get_load& load) {
  std::vector<double> ns;
  run_between(on, what, load.meanwhile, [&](bed& at) {
    for (const transfer_shape& shape : shapes) {
      ns.push_back(
          mean_ns(at.view, [&] { get(at.view, at.there(shape), at.here(shape), load.how); }));
    }
  });
  return ns;
}

overlap get_overlap(transfer_jobs& on, const std::string& what,
                    const std::vector<transfer_shape>& shapes, section_protocol how) {
  overlap result;
  run_between(on, what, target::waits, [&](bed& at) {
    for (const transfer_shape& shape : shapes) {
      const double alone =
          mean_ns(at.view, [&] { get(at.view, at.there(shape), at.here(shape), how); });
      const auto work = static_cast<std::uint64_t>(alone);
      const double both = mean_ns(at.view, [&] {
        auto arriving = get_async(at.view, at.there(shape), at.here(shape), how);
        at.view.compute(work);
        arriving.get();
      });
      const double exposed = both - static_cast<double>(work);
      result.exposed_ns.push_back(exposed);
      result.percent.push_back(100 * std::clamp(1 - exposed / alone, 0.0, 1.0));
    }
  });
  return result;
}

std::vector<double> plain_times(transfer_jobs& on, const std::string& what,
                                const std::vector<transfer_shape>& shapes, plain how) {
  std::vector<double> ns;
  run_between(on, what, target::waits, [&](bed& at) {
    const ptr<std::byte> there = at.matrix.on(1);
    for (const transfer_shape& shape : shapes) {
      const std::span<std::byte> here(at.memory(), shape.bytes());
      switch (how) {
        case plain::put:
          ns.push_back(mean_ns(at.view, [&] { put(at.view, there, here); }));
          break;
        case plain::get:
          ns.push_back(mean_ns(at.view, [&] { get(at.view, there, here); }));
          break;
        case plain::many_puts:
          ns.push_back(mean_of_many_ns(at.view, [&] { return put_async(at.view, there, here); }));
          break;
        case plain::many_gets:
          ns.push_back(mean_of_many_ns(at.view, [&] { return get_async(at.view, there, here); }));
          break;
      }
    }
  });
  return ns;
}

std::vector<double> message_times(transfer_jobs& on, const std::string& what,
                                  const std::vector<transfer_shape>& shapes) {
  std::vector<double> ns;
  on.run_on({.service = false}, what, [&](world& world) {
    bed at(world);
    two_sided messages(world, work_ns_of(on.profile()));
    const bool sends = world.rank() == 1;
    std::byte answer{};
    for (const transfer_shape& shape : shapes) {
      const std::span<std::byte> data(at.memory(), shape.bytes());
      const auto all = [&] {
        std::vector<two_sided::request> under_way;
        for (int i = 0; i < in_flight; ++i) {
          if (sends && shape.rows > 1) messages.charge_copy(shape.bytes(), shape.rows);
          under_way.push_back(sends ? messages.start_send(0, data)
                                    : messages.start_receive(1, data));
        }
        if (sends) {
          messages.wait(under_way);
          return messages.receive(0, {&answer, 1});
        }
        for (const two_sided::request& r : under_way) {
          messages.wait(r);
          if (shape.rows > 1) messages.charge_copy(shape.bytes(), shape.rows);
        }
        messages.send(1, {&answer, 1});
      };
      const double mean = mean_ns(world, all) / in_flight;
      if (sends) ns.push_back(mean);
    }
  });
  return ns;
}

double message_latency(transfer_jobs& on) {
  double ns = 0;
  on.run_on({.service = false}, "table 1, messages", [&](world& world) {
    two_sided messages(world, work_ns_of(on.profile()));
    const int other = 1 - world.rank();
    std::byte data[sizeof(double)]{};
    const double mean = mean_ns(world, [&] {
      if (world.rank() == 0) messages.send(other, data);
      messages.receive(other, data);
      if (world.rank() == 1) messages.send(other, data);
    });
    if (world.rank() == 0) ns = mean / 2;
  });
  return ns;
}

atomic_times atomics(transfer_jobs& on) {
  atomic_times result;
  run_between(on, "atomics", target::waits, [&](bed& at) {
    const ptr<std::uint64_t> word = at.stop.on(1);
    const auto add = [&](rmw_way how) {
      return mean_ns(at.view, [&] { (void)fetch_add(at.view, word, 0, how); });
    };
    result.by_interface = add(rmw_way::fabric);
    result.by_helper = add(rmw_way::helper);
  });
  return result;
}

memory_times registrations_and_copies(transfer_jobs& on, const std::vector<std::uint64_t>& bytes) {
  memory_times result;
  run_between(on, "figure 2", target::waits, [&](bed& at) {
    constexpr std::uint64_t apart = 1 << 17;  // regions of two buffers do not touch
    std::vector<std::unique_ptr<std::byte[]>> memory;
    for (const std::uint64_t n : bytes) {
      memory.emplace_back(new std::byte[n + 2 * apart]());
      const auto here = patch(memory.back().get() + apart, 1, n);
      const auto there = at.there(contiguous(n));
      const auto once = [&] {
        const std::uint64_t begin = at.view.now();
        put(at.view, there, here, section_protocol::per_segment);
        return static_cast<double>(at.view.now() - begin);
      };
      const double first = once();
      result.registering.push_back(first - once());
      const std::uint64_t begin = at.view.now();
      sections::copy_charge::add(at.view, n, 1);
      result.copying.push_back(static_cast<double>(at.view.now() - begin));
    }
  });
  return result;
}

}  // namespace far::bench
