// One-sided operations: on mapped memory they are done when the call returns.

#include <atomic>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"
#include "far/fabric/shm/bell.hpp"
#include "far/fabric/shm/rank_context.hpp"

namespace far::fabric::shm {
namespace {

/// One immediate operation of a completion that may be absent.
void finish(completion* done) {
  if (done == nullptr) return;
  done->begin();
  done->end();
}

/// min and max: no single instruction, so a compare-and-swap loop in the same domain.
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
std::uint64_t perform(std::byte* where, const amo_request& request) {
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

void rank_context::put(std::span<const put_part> parts, completion* done, completion* source,
                       const signal* after) {
  for (const put_part& part : parts) home().check_bounds(part.to, part.bytes);
  if (after != nullptr) {
    home().check_bounds(after->word, sizeof(std::uint64_t));
    if (after->word.offset() % sizeof(std::uint64_t) != 0) {
      throw bad_argument("put: the signal's word must be aligned to 8 bytes");
    }
  }
  for (const put_part& part : parts) copy_bytes(home().direct(part.to), part.from, part.bytes);
  if (after != nullptr) {
    const std::atomic_ref<std::uint64_t> word(
        *reinterpret_cast<std::uint64_t*>(home().direct(after->word)));
    // Sequentially consistent: publishes the payload, and orders the look at the sleepers.
    if (after->how == signal::kind::set) {
      word.store(after->value);
    } else {
      word.fetch_add(after->value);
    }
    wake_rank(home().block(after->word.rank()));
  }
  finish(source);
  finish(done);
}

void rank_context::get(std::span<const get_part> parts, completion* done) {
  for (const get_part& part : parts) home().check_bounds(part.from, part.bytes);
  for (const get_part& part : parts) copy_bytes(part.to, home().direct(part.from), part.bytes);
  finish(done);
}

void rank_context::check_word(const amo_request& request) const {
  if (request.bytes != 4 && request.bytes != 8) {
    throw bad_argument(
        fmt::format("amo on {} bytes: words have 4 or 8", static_cast<int>(request.bytes)));
  }
  if (request.word.offset() % request.bytes != 0) {
    throw bad_argument(fmt::format("amo at offset {}: not aligned to its {} bytes",
                                   request.word.offset(), static_cast<int>(request.bytes)));
  }
  home().check_bounds(request.word, request.bytes);
}

void rank_context::amo(const amo_request& request, completion* done) {
  check_word(request);
  std::byte* const where = home().direct(request.word);
  const std::uint64_t old = request.bytes == 8 ? perform<std::uint64_t>(where, request)
                                               : perform<std::uint32_t>(where, request);
  if (request.fetched != nullptr) *request.fetched = old;
  if (request.wake) wake_rank(home().block(request.word.rank()));
  finish(done);
}

void rank_context::flush(int, completion* done) {
  full_fence();
  finish(done);
}

std::uint64_t rank_context::peek(address word) const {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(home().local(word)))
      .load(std::memory_order_seq_cst);
}

}  // namespace far::fabric::shm
