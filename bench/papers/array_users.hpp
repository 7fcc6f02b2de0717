#pragma once
// The systems that the figures of darray compare, as one thread uses them: each can read, write and
// operate on (add to) one element.

#include <cstdint>
#include <functional>
#include <mutex>
#include <shared_mutex>

#include "far/far.hpp"

namespace far::bench {

enum class array_access : std::uint8_t { read, write, operate };

/// far::array: each access is an operation on the owner's memory. The paper's BCL.
class uncached_user {
 public:
  using array_type = array<std::uint64_t>;

  uncached_user(const array_type& a, const world& world) : a_(a.on(world)) {}

  void read(std::uint64_t i) { sum_ += a_.get(i); }
  void write(std::uint64_t i) { a_.put(i, i); }
  void operate(std::uint64_t i) { (void)a_.fetch_update(i, std::uint64_t{1}, std::plus<>()); }

 private:
  array_view<std::uint64_t> a_;
  std::uint64_t sum_ = 0;
};

/// The same, whose writes are atomic stores: what a program writes by that also updates elements.
class storing_user : public uncached_user {
 public:
  storing_user(const array_type& a, const world& world)
      : uncached_user(a, world), a_(a.on(world)) {}

  void write(std::uint64_t i) { a_.ref(i).store(i); }

 private:
  array_view<std::uint64_t> a_;
};

/// far::cached_array.
class cached_user {
 public:
  using array_type = cached_array<std::uint64_t>;

  cached_user(const array_type& a, const world& world) : a_(a.on(world)) {}

  void read(std::uint64_t i) { sum_ += a_.get(i); }
  void write(std::uint64_t i) { a_.put(i, i); }
  void operate(std::uint64_t i) { a_.apply(i, std::uint64_t{1}, std::plus<>()); }

 protected:
  [[nodiscard]] const cached_view<std::uint64_t>& elements() const noexcept { return a_; }

 private:
  cached_view<std::uint64_t> a_;
  std::uint64_t sum_ = 0;
};

/// far::cached_array with the time of the paper's access path (section 4.1): a flag, and a count of
/// references up and down. Only reads. The job's clock is charged for the difference to a hit;
/// threads that count in the same word would take longer.
class counted_user : public cached_user {
 public:
  /// What such an access takes, in hits of libfar's. Assumed: two locked instructions of 20 cycles
  /// and the loads between them are 14 ns at 2.9 GHz, for a hit of 3. `far bench array` measures
  /// 9 ns (counted_cache.hpp) on newer processors.
  static constexpr double hits = 14.0 / 3;

  counted_user(const array_type& a, const world& world)
      : cached_user(a, world),
        more_ps_(static_cast<std::uint64_t>(
            (hits - 1) * static_cast<double>(world.fabric().work_cost_ps("array_hit")))) {}

  void read(std::uint64_t i) {
    cached_user::read(i);
    fabric::context& context = elements().world().context();
    context.charge(more_ps_);
    context.compute(0);  // which lets others go first
  }

 private:
  std::uint64_t more_ps_;
};

/// far::cached_array under the lock of the element: what a program without `apply` does. The
/// paper's WLock + Read + Write, and the exclusive accesses of GAM.
class exclusive_user : public cached_user {
 public:
  using cached_user::cached_user;

  void read(std::uint64_t i) {
    const element_mutex of_element = elements().lock_of(i);
    const std::shared_lock lock(of_element);
    cached_user::read(i);
  }
  void write(std::uint64_t i) {
    const element_mutex of_element = elements().lock_of(i);
    const std::scoped_lock lock(of_element);
    cached_user::write(i);
  }
  void operate(std::uint64_t i) {
    const element_mutex of_element = elements().lock_of(i);
    const std::scoped_lock lock(of_element);
    elements().put(i, elements().get(i) + 1);
  }
};

template <class User>
void access_by(User& user, array_access how, std::uint64_t i) {
  switch (how) {
    case array_access::read:
      return user.read(i);
    case array_access::write:
      return user.write(i);
    case array_access::operate:
      return user.operate(i);
  }
}

}  // namespace far::bench
