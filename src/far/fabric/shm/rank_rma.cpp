// One-sided operations: on mapped memory they are complete when the call returns; the uplink
// performs those on ranks of other nodes.

#include <atomic>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/rank_context.hpp"

namespace far::fabric::shm {
namespace {

/// Begins and ends one operation of a completion, which may be null.
void finish(completion* done) {
  if (done == nullptr) return;
  done->begin();
  done->end();
}

/// min and max have no single instruction, so this is a compare-and-swap loop in the same domain.
template <class Word>
Word bounded(std::byte* where, const amo_request& request) {
  const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(where));
  const auto bound = static_cast<Word>(request.operand);
  const bool up = request.op == amo_op::max;
  Word old = word.load();
  while ((up ? old < bound : bound < old) && !word.compare_exchange_weak(old, bound)) {
  }
  return old;
}

template <class Word>
std::uint64_t perform_on(std::byte* where, const amo_request& request) {
  using signed_word = std::make_signed_t<Word>;
  const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(where));
  const auto operand = static_cast<Word>(request.operand);
  switch (request.op) {
    case amo_op::load:
      return word.load();
    case amo_op::store:
      word.store(operand);
      return 0;
    case amo_op::add:
      return word.fetch_add(operand);
    case amo_op::bit_and:
      return word.fetch_and(operand);
    case amo_op::bit_or:
      return word.fetch_or(operand);
    case amo_op::bit_xor:
      return word.fetch_xor(operand);
    case amo_op::swap:
      return word.exchange(operand);
    case amo_op::min:
    case amo_op::max:
      return request.is_signed ? static_cast<Word>(bounded<signed_word>(where, request))
                               : bounded<Word>(where, request);
    case amo_op::compare_swap: {
      auto expected = static_cast<Word>(request.compare);
      word.compare_exchange_strong(expected, operand);
      return expected;
    }
  }
  throw bad_argument("amo: unknown operation");
}

}  // namespace

std::uint64_t perform(std::byte* where, const amo_request& request) {
  return request.bytes == 8 ? perform_on<std::uint64_t>(where, request)
                            : perform_on<std::uint32_t>(where, request);
}

void raise(std::byte* where, const signal& change) noexcept {
  const std::atomic_ref<std::uint64_t> word(*reinterpret_cast<std::uint64_t*>(where));
  // Sequentially consistent: publishes the payload, and comes before the load of `sleeping`.
  if (change.how == signal::kind::set) {
    word.store(change.value);
  } else {
    word.fetch_add(change.value);
  }
}

void rank_context::check_range(address a, std::uint64_t bytes) {
  home().check_bounds(a, bytes);
  if (home().near(a.rank())) return;
  if (a.segment() != local_segment) {  // symmetric: the extent is the same as here
    return home().check_bounds(a, bytes, home().extent(home().rank(), a.segment()));
  }
  uplink& far = *home().uplink();
  if (a.offset() + bytes <= far.extent(a.rank(), a.segment())) return;
  // The known extent of another node's rank may be stale. A lane must not wait for a newer one, so
  // it uses the segment's capacity.
  if (index() >= max_contexts) return;
  completion known;
  far.request_extents(index(), a.rank(), &known);
  wait(known, {"a rank's extents", a.rank(), {}});
  home().check_bounds(a, bytes, far.extent(a.rank(), a.segment()));
}

void rank_context::put(std::span<const put_part> parts, completion* done, completion* source,
                       const signal* after) {
  check_no_fork();
  for (const put_part& part : parts) check_range(part.to, part.bytes);
  if (after != nullptr) {
    check_range(after->word, sizeof(std::uint64_t));
    if (after->word.offset() % sizeof(std::uint64_t) != 0) {
      throw bad_argument("put: the signal's word must be aligned to 8 bytes");
    }
    if (after->word.segment() == nic_segment) {
      throw bad_argument(
          "put: the signal's word is of the domain nic, but processors raise signals: use one of "
          "far::allocate's default domain");
    }
    if (!home().near(after->word.rank())) {
      home().uplink()->put(index(), parts, done, source, after);
      return finish(source);
    }
  }
  for (const put_part& part : parts) {
    if (home().near(part.to.rank())) {
      copy_bytes(home().direct(part.to), part.from, part.bytes);
      wake_plain(home().job().header(), home().near_block(part.to.rank()));
    } else {
      home().uplink()->put(index(), {&part, 1}, done, source, nullptr);
    }
  }
  if (after != nullptr) {
    raise(home().direct(after->word), *after);
    wake_waiters(home().block(after->word.rank()));
  }
  finish(source);
  finish(done);
}

void rank_context::get(std::span<const get_part> parts, completion* done) {
  check_no_fork();
  for (const get_part& part : parts) check_range(part.from, part.bytes);
  for (const get_part& part : parts) {
    if (home().near(part.from.rank())) {
      copy_bytes(part.to, home().direct(part.from), part.bytes);
    } else {
      home().uplink()->get(index(), part, done);
    }
  }
  finish(done);
}

void rank_context::check_word(const amo_request& request) {
  check_no_fork();
  if (request.bytes != 4 && request.bytes != 8) {
    throw bad_argument(
        fmt::format("amo on {} bytes: words have 4 or 8", static_cast<int>(request.bytes)));
  }
  if (request.word.offset() % request.bytes != 0) {
    throw bad_argument(fmt::format("amo at offset {}: not aligned to its {} bytes",
                                   request.word.offset(), static_cast<int>(request.bytes)));
  }
  check_range(request.word, request.bytes);
}

void rank_context::amo(const amo_request& request, completion* done) {
  check_word(request);
  if (request.loose && done != nullptr) throw bad_argument("amo: a loose one has no completion");
  const bool nic = !home().cpu_atomics(request.word);  // then this rank's own words need it, too
  if (nic || !home().near(request.word.rank())) {
    asked_nic_ |= nic;
    return home().uplink()->amo(index(), request, done);
  }
  const std::uint64_t old = perform(home().direct(request.word), request);
  if (request.fetched != nullptr) store_fetched(old, request.fetched, request.fetched_bytes);
  home().after_hearing();
  if (request.wake) {
    wake_waiters(home().block(request.word.rank()));
  } else {
    wake_plain(home().job().header(), home().near_block(request.word.rank()));
  }
  finish(done);
}

void rank_context::flush(int rank, completion* done) {
  check_no_fork();
  full_fence();
  if (home().uplink() != nullptr && (rank < 0 || asked_nic_ || !home().near(rank))) {
    home().uplink()->flush(index(), rank, done);
  }
  finish(done);
}

std::uint64_t rank_context::peek(address word) const {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(home().local(word)))
      .load(std::memory_order_seq_cst);
}

}  // namespace far::fabric::shm
