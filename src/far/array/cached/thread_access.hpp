#pragma once
// How one thread accesses chunks: the hit, inline, and the slow path (access.hpp has the rules).

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "far/array/cached/access_work.hpp"
#include "far/array/cached/part.hpp"
#include "far/fabric/asymmetric_fence.hpp"
#include "far/rma/amo.hpp"
#include "far/world/world.hpp"

namespace far::cached {

void check_same_size(std::size_t indices, std::size_t operands);
/// Ends an access to the home's memory, which took so many nanoseconds (0: not measured).
void leave_home(part& of, fabric::context& context, std::uint64_t chunk, std::uint64_t took = 0);

class thread_access {
 public:
  thread_access(const far::world& world, std::shared_ptr<part> of);

  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  [[nodiscard]] cached::part& part() const noexcept { return *part_; }
  [[nodiscard]] const std::shared_ptr<cached::part>& shared_part() const noexcept { return part_; }

  /// An access in the fast path: publishes it, reads the chunk's word, and returns
  /// access.make(target) if target = access.target(word, chunk) is not zero. Else returns miss().
  /// `access` is an object of scalars, passed by value, so that a hit stays in registers.
  template <class Access, class Miss>
  [[gnu::always_inline]] auto quick_hit(std::uint64_t i, Access access, Miss miss) const {
    if (own_.has(i)) return access.make(own_);
    if (other_.has(i)) return access.make(other_);
    if (i >= quick_size_) [[unlikely]]
      return miss();
    const std::uint64_t chunk = i >> shift_;
    thread_record* const me = publishes_;
    if (me == nullptr) {
      const chunk_word target = access.target(word_of(chunk), chunk);
      if (!target.can_read()) [[unlikely]]
        return miss();
      look_for_other(chunk);
      return access.make(target);
    }
    me->accessed.store(chunk + 1, std::memory_order_relaxed);
    fabric::light_fence(true);
    const chunk_word target = access.target(word_of(chunk), chunk);
    if (!target.can_read()) [[unlikely]] {
      end_hit(me);
      return miss();
    }
    const auto result = access.make(target);
    end_hit(me);
    return result;
  }
  /// The same wherever quick_hit does nothing: for partitions that need a search, without an
  /// asymmetric fence, and in a simulation, with a step between any two actions, or the time that
  /// the profile gives for all. Returns whether the access was made.
  template <class Access>
  [[nodiscard, gnu::noinline]] bool careful_hit(std::uint64_t i, Access access) const {
    const std::uint64_t chunk = part_->map.find(i).chunk;
    if (part_->coherent) {
      look_for_other(chunk);
      return make_at(access, access.target(word_of(chunk), chunk));
    }
    record_->accessed.store(chunk + 1, std::memory_order_relaxed);
    fabric::light_fence(asymmetric_);
    step();
    const chunk_word word = word_of(chunk);
    const chunk_word target = access.target(word, chunk);
    step();
    const bool made = make_at(access, target);
    step();
    record_->accessed.store(0, std::memory_order_release);
    fabric::light_fence(asymmetric_);
    step();
    // A word that grants nothing leaves only the operand line.
    if (made) charge(word.can_read());
    if (record_->notice.load(std::memory_order_relaxed) != 0) answer_notice();
    return made;
  }
  [[nodiscard]] const operand_line* operand_lines() const noexcept { return operands_; }

  /// Waits for the right, and calls cached(data, is_value) under the rank's mutex. is_value: data
  /// are the elements, not operands. Or, where the claim allows it and the chunk is not to be
  /// cached, calls one_sided(), which accesses the home's memory.
  template <class Cached, class OneSided>
  void slow(std::uint64_t chunk, const claim& wanted, Cached cached, OneSided one_sided) const {
    outbox out;
    cache::place at;
    {
      std::unique_lock lock(part_->mutex);
      at = part_->lines.acquire(lock, out, world_, *record_, chunk, wanted);
      if (at.data != nullptr) {
        cached(at.data, at.is_value);
        part_->lines.leave(out, chunk);
      }
    }
    out.flush(*part_, world_.context());
    if (at.data != nullptr) return charge(at.is_value);
    const std::uint64_t began = at.is_measured ? world_.now() : 0;
    one_sided();
    leave_home(*part_, world_.context(), chunk, at.is_measured ? world_.now() - began : 0);
  }

  /// Calls f(data, n) for each piece of `count` elements from `first` on, under the rank's mutex,
  /// when this rank has the right to it; requests chunks ahead.
  template <class F>
  void for_chunks(std::uint64_t first, std::uint64_t count, right what, F f) const {
    const far::detail::chunk_map& map = part_->map;
    std::uint64_t requested = 0;  // chunks before this one have been
    for (std::uint64_t done = 0; done < count;) {
      const auto at = map.find(first + done);
      if (at.chunk >= requested) {
        const std::uint64_t end = map.find(first + count - 1).chunk + 1;
        requested = prefetch(at.chunk, end, {what});
      }
      const std::uint64_t n = std::min(count - done, map.length_of_chunk(at.chunk) - at.offset);
      const auto move = [&](std::byte* data, bool) {
        f(data + at.offset * part_->element_bytes, static_cast<std::size_t>(n));
      };
      slow(at.chunk, {what}, move, [] {});
      done += n;
    }
  }

  /// Whether an access would be made in the home's memory now. Where the chunk is published,
  /// answered without the mutex.
  [[nodiscard]] bool goes_past_cache(std::uint64_t chunk) const;
  /// The same; if so, the access may be made until leave_home.
  [[nodiscard]] bool enter_home(std::uint64_t chunk) const;

  /// Requests chunks from `begin` on, at most 64 and half the cache; returns where it stopped.
  std::uint64_t prefetch(std::uint64_t begin, std::uint64_t end, const claim& wanted) const;
  void prefetch(std::vector<std::uint64_t> chunks, const claim& wanted) const;

  static constexpr std::size_t no_quick_pin = thread_record::quick_pins;
  struct pinned {
    std::byte* data;
    right what;  ///< to be unpinned; `write` for operate: the data are the elements, not operands
    std::size_t quick = no_quick_pin;  ///< its place in the thread's record
  };
  /// Waits for the right and keeps it until unpin. `first`: the chunk's first element.
  /// Cost: about that of a hit, for the first four pins of a thread and but for operators.
  template <class T>
  [[nodiscard]] pinned pin(std::uint64_t chunk, std::uint64_t first, right what,
                           const operation* op = nullptr) const {
    if (part_->coherent) {
      const chunk_word word = word_of(chunk);
      if (word.can_write()) [[likely]]
        return {reinterpret_cast<std::byte*>(word.element<T>(first)), right::write};
      return {part_->coherent_memory(chunk), right::write};
    }
    if (what != right::operate) {
      for (std::size_t k = 0; k < thread_record::quick_pins; ++k) {
        if (record_->pins[k].load(std::memory_order_relaxed) != 0) continue;
        const chunk_word word = publish_pin(k, pin_word(chunk, what));
        const bool may = what == right::write ? word.can_write() : word.can_pin();
        if (may) return {reinterpret_cast<std::byte*>(word.element<T>(first)), what, k};
        end_pin(k);
        break;
      }
    }
    return slow_pin(chunk, what, op);
  }
  void unpin(std::uint64_t chunk, const pinned& pin) const {
    if (part_->coherent) return;
    pin.quick != no_quick_pin ? end_pin(pin.quick) : slow_unpin(chunk, pin.what);
  }

 private:
  [[nodiscard]] chunk_word word_of(std::uint64_t chunk) const noexcept {
    return chunk_word(table_[chunk].load(std::memory_order_acquire));
  }
  [[gnu::always_inline]] void end_hit(thread_record* me) const {
    me->accessed.store(0, std::memory_order_release);
    fabric::light_fence(true);
    if (me->notice.load(std::memory_order_relaxed) != 0) [[unlikely]]
      answer_notice();
  }
  template <class Access>
  static bool make_at(Access access, chunk_word target) {
    return target.can_read() && access.make(target);
  }
  /// In a simulation without a cost of hits: lets others run between two actions of an access.
  void step() const {
    if (steps_) world_.context().compute(1);
  }
  /// The time of an access to an element, or to an operand.
  void charge(bool is_value) const {
    is_value ? work_.charge_hit(world_.context()) : work_.charge_apply(world_.context());
  }
  void answer_notice() const;
  [[gnu::always_inline]] void look_for_other(std::uint64_t chunk) const noexcept {
    if (std::exchange(last_chunk_, chunk) == chunk) find_other(chunk);
  }
  void find_other(std::uint64_t chunk) const noexcept;
  chunk_word publish_pin(std::size_t k, pin_word what) const {
    record_->pins[k].store(what.bits(), std::memory_order_relaxed);
    fabric::light_fence(asymmetric_);
    step();
    return word_of((what.bits() >> 1) - 1);
  }
  void end_pin(std::size_t k) const {
    record_->pins[k].store(0, std::memory_order_release);
    fabric::light_fence(asymmetric_);
    step();
    if (record_->pin_notice.load(std::memory_order_relaxed) != 0) [[unlikely]]
      answer_notice();
  }
  [[nodiscard]] pinned slow_pin(std::uint64_t chunk, right what, const operation* op) const;
  void slow_unpin(std::uint64_t chunk, right what) const;
  [[nodiscard]] bool is_called_by_others() const noexcept;

  // What quick_hit reads.
  // Where nothing is cached: this rank's elements, and those of another rank in one of whose chunks
  // two accesses in a row have been.
  plain_elements own_;
  mutable plain_elements other_;
  mutable std::uint64_t last_chunk_ = ~std::uint64_t{0};
  std::uint64_t quick_size_ = 0;  // it takes elements before this one: all, or none
  int shift_ = 0;                 // from an element's index to its chunk
  thread_record* publishes_;      // null: nothing is cached
  std::atomic<std::uint64_t>* table_;
  const operand_line* operands_;

  far::world world_;
  std::shared_ptr<cached::part> part_;
  std::shared_ptr<thread_record> record_;
  bool asymmetric_;
  access_work work_;
  bool steps_;
};

}  // namespace far::cached
