// Atomic operations.

#include "far_shmem/atomics.h"

#include <atomic>
#include <type_traits>

#include <far/rma/amo.hpp>
#include <far/rma/direct.hpp>
#include <far/rma/nbi.hpp>

#include "far_shmem/deprecated.h"
#include "shmem/context.hpp"
#include "shmem/function.hpp"
#include "shmem/places.hpp"

namespace far::shmem {
namespace {

using fabric::amo_op;

/// What an operation needs beside its word: the operand, and what compare_swap compares with.
struct operands {
  std::uint64_t operand = 0;
  std::uint64_t compare = 0;
};

enum class fetches : std::uint8_t { nothing, now, later };

fabric::amo_request request_of(amo_op op, std::size_t bytes, const operands& with) noexcept {
  fabric::amo_request request;
  request.op = op;
  request.bytes = static_cast<std::uint8_t>(bytes);
  request.fetched_bytes = request.bytes;
  request.operand = with.operand;
  request.compare = with.compare;
  return request;
}

/// By the fabric's verb. `old`: where the old value goes, in `bytes` bytes; it may be null if
/// nothing is fetched.
[[gnu::noinline, gnu::cold]] void amo_slowly(const char* function, shmem_ctx_t context,
                                             const void* word, int pe, fabric::amo_request request,
                                             void* old, fetches when) noexcept {
  guarded(function, [&] {
    const int to = checked_pe(context, pe);
    request.word = address_of(word, request.bytes, to);
    lane_use use = lane_of(context);
    request.fetched = old;
    if (when != fetches::now) return rma::amo_nbi(use->context(), request);
    request.domain = rma::domain_of(use->world().fabric(), request.word);
    fabric::completion done;
    use->context().amo(request, &done);
    use->context().wait(done, {"atomic operation", to, request.word});
  });
}

/// The operation by one instruction; returns the old value.
template <amo_op Op, class T>
T exchange(std::byte* place, T value, T compare) noexcept {
  constexpr auto order = std::memory_order_acq_rel;
  if constexpr (Op == amo_op::swap) {
    return rma::atomic_word<T>(place).exchange(value, order);
  } else if constexpr (Op == amo_op::compare_swap) {
    rma::atomic_word<T>(place).compare_exchange_strong(compare, value, order,
                                                       std::memory_order_acquire);
    return compare;
  } else if constexpr (Op == amo_op::add) {
    return rma::atomic_word<T>(place).fetch_add(value, order);
  } else if constexpr (Op == amo_op::bit_and) {
    return rma::atomic_word<T>(place).fetch_and(value, order);
  } else if constexpr (Op == amo_op::bit_or) {
    return rma::atomic_word<T>(place).fetch_or(value, order);
  } else {
    static_assert(Op == amo_op::bit_xor);
    return rma::atomic_word<T>(place).fetch_xor(value, order);
  }
}

template <amo_op Op, class T>
[[gnu::always_inline]] inline T perform(std::byte* place, int pe, T value, T compare) noexcept {
  if constexpr (Op == amo_op::load) {
    return rma::load_word<T>(place);
  } else if constexpr (Op == amo_op::store) {
    rma::store_word(place, value);
    places.waker.changed(pe);
    return value;
  } else {
    const T old = exchange<Op>(place, value, compare);
    places.waker.changed(pe);
    return old;
  }
}

template <class T>
operands operands_of(T value, T compare) noexcept {
  return {rma::to_operand(value), rma::to_operand(compare)};
}

/// What is not in the heap, or where instructions do not reach.
template <amo_op Op, class T>
[[nodiscard, gnu::noinline]] T fetch_elsewhere(const char* function, shmem_ctx_t context,
                                               const T* word, int pe, T value, T compare) noexcept {
  const int to = world_pe(context, pe);
  if (std::byte* const there = reached_in_statics(word, sizeof(T), to, access::atomic)) {
    return perform<Op>(there, to, value, compare);
  }
  T old{};
  amo_slowly(function, context, word, pe, request_of(Op, sizeof(T), operands_of(value, compare)),
             &old, fetches::now);
  return old;
}

template <amo_op Op, class T>
[[gnu::always_inline]] inline T fetch(const char* function, shmem_ctx_t context, const T* word,
                                      int pe, T value = {}, T compare = {}) {
  const int to = world_pe(context, pe);
  std::byte* const there = reached_in_heap<sizeof(T), access::atomic>(word, to);
  if (there == nullptr) [[unlikely]]
    return fetch_elsewhere<Op, T>(function, context, word, pe, value, compare);
  return perform<Op>(there, to, value, compare);
}

template <amo_op Op, class T>
[[gnu::noinline]] void fetch_later_elsewhere(const char* function, shmem_ctx_t context, T* old,
                                             const T* word, int pe, T value, T compare) noexcept {
  const int to = world_pe(context, pe);
  if (std::byte* const there = reached_in_statics(word, sizeof(T), to, access::atomic)) {
    *old = perform<Op>(there, to, value, compare);
    return;
  }
  amo_slowly(function, context, word, pe, request_of(Op, sizeof(T), operands_of(value, compare)),
             old, fetches::later);
}

template <amo_op Op, class T>
[[gnu::always_inline]] inline void fetch_later(const char* function, shmem_ctx_t context, T* old,
                                               const T* word, int pe, T value = {},
                                               T compare = {}) {
  const int to = world_pe(context, pe);
  std::byte* const there = reached_in_heap<sizeof(T), access::atomic>(word, to);
  if (there == nullptr) [[unlikely]]
    return fetch_later_elsewhere<Op, T>(function, context, old, word, pe, value, compare);
  *old = perform<Op>(there, to, value, compare);
}

template <amo_op Op, class T>
[[gnu::noinline]] void change_elsewhere(const char* function, shmem_ctx_t context, T* word, int pe,
                                        T value) noexcept {
  const int to = world_pe(context, pe);
  if (std::byte* const there = reached_in_statics(word, sizeof(T), to, access::atomic)) {
    (void)perform<Op>(there, to, value, T{});
    return;
  }
  amo_slowly(function, context, word, pe, request_of(Op, sizeof(T), operands_of(value, T{})),
             nullptr, fetches::nothing);
}

template <amo_op Op, class T>
[[gnu::always_inline]] inline void change(const char* function, shmem_ctx_t context, T* word,
                                          int pe, T value) {
  const int to = world_pe(context, pe);
  std::byte* const there = reached_in_heap<sizeof(T), access::atomic>(word, to);
  if (there == nullptr) [[unlikely]]
    return change_elsewhere<Op, T>(function, context, word, pe, value);
  (void)perform<Op>(there, to, value, T{});
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

// N: the name between shmem_ and _atomic: int, or ctx_int.
#define FAR_SHMEM_EXTENDED_BODIES(CTX, GIVEN, T, N)                                              \
  FAR_SHMEM_FUNCTION(T, N##_atomic_fetch, (CTX const T* source, int pe)) {                       \
    return fetch<amo_op::load, T>("shmem_" #N "_atomic_fetch", GIVEN, source, pe);               \
  }                                                                                              \
  FAR_SHMEM_FUNCTION(void, N##_atomic_set, (CTX T * dest, T value, int pe)) {                    \
    change<amo_op::store, T>("shmem_" #N "_atomic_set", GIVEN, dest, pe, value);                 \
  }                                                                                              \
  FAR_SHMEM_FUNCTION(T, N##_atomic_swap, (CTX T * dest, T value, int pe)) {                      \
    return fetch<amo_op::swap, T>("shmem_" #N "_atomic_swap", GIVEN, dest, pe, value);           \
  }                                                                                              \
  FAR_SHMEM_FUNCTION(void, N##_atomic_fetch_nbi, (CTX T * fetch, const T* source, int pe)) {     \
    fetch_later<amo_op::load, T>("shmem_" #N "_atomic_fetch_nbi", GIVEN, fetch, source, pe);     \
  }                                                                                              \
  FAR_SHMEM_FUNCTION(void, N##_atomic_swap_nbi, (CTX T * fetch, T * dest, T value, int pe)) {    \
    fetch_later<amo_op::swap, T>("shmem_" #N "_atomic_swap_nbi", GIVEN, fetch, dest, pe, value); \
  }

#define FAR_SHMEM_AMO_BODIES(CTX, GIVEN, T, N)                                                     \
  FAR_SHMEM_FUNCTION(T, N##_atomic_compare_swap, (CTX T * dest, T cond, T value, int pe)) {        \
    return fetch<amo_op::compare_swap, T>("shmem_" #N "_atomic_compare_swap", GIVEN, dest, pe,     \
                                          value, cond);                                            \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(T, N##_atomic_fetch_inc, (CTX T * dest, int pe)) {                            \
    return fetch<amo_op::add, T>("shmem_" #N "_atomic_fetch_inc", GIVEN, dest, pe,                 \
                                 static_cast<T>(1));                                               \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(void, N##_atomic_inc, (CTX T * dest, int pe)) {                               \
    change<amo_op::add, T>("shmem_" #N "_atomic_inc", GIVEN, dest, pe, static_cast<T>(1));         \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(T, N##_atomic_fetch_add, (CTX T * dest, T value, int pe)) {                   \
    return fetch<amo_op::add, T>("shmem_" #N "_atomic_fetch_add", GIVEN, dest, pe, value);         \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(void, N##_atomic_add, (CTX T * dest, T value, int pe)) {                      \
    change<amo_op::add, T>("shmem_" #N "_atomic_add", GIVEN, dest, pe, value);                     \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(void, N##_atomic_compare_swap_nbi,                                            \
                     (CTX T * fetch, T * dest, T cond, T value, int pe)) {                         \
    fetch_later<amo_op::compare_swap, T>("shmem_" #N "_atomic_compare_swap_nbi", GIVEN, fetch,     \
                                         dest, pe, value, cond);                                   \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(void, N##_atomic_fetch_inc_nbi, (CTX T * fetch, T * dest, int pe)) {          \
    fetch_later<amo_op::add, T>("shmem_" #N "_atomic_fetch_inc_nbi", GIVEN, fetch, dest, pe,       \
                                static_cast<T>(1));                                                \
  }                                                                                                \
  FAR_SHMEM_FUNCTION(void, N##_atomic_fetch_add_nbi, (CTX T * fetch, T * dest, T value, int pe)) { \
    fetch_later<amo_op::add, T>("shmem_" #N "_atomic_fetch_add_nbi", GIVEN, fetch, dest, pe,       \
                                value);                                                            \
  }

// The last arguments: the first parameter, which ends with a comma.
#define FAR_SHMEM_BITWISE_BODY(GIVEN, T, N, OP, VERB, ...)                                        \
  FAR_SHMEM_FUNCTION(T, N##_atomic_fetch_##OP, (__VA_ARGS__ T * dest, T value, int pe)) {         \
    return fetch<amo_op::VERB, T>("shmem_" #N "_atomic_fetch_" #OP, GIVEN, dest, pe, value);      \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(void, N##_atomic_##OP, (__VA_ARGS__ T * dest, T value, int pe)) {            \
    change<amo_op::VERB, T>("shmem_" #N "_atomic_" #OP, GIVEN, dest, pe, value);                  \
  }                                                                                               \
  FAR_SHMEM_FUNCTION(void, N##_atomic_fetch_##OP##_nbi,                                           \
                     (__VA_ARGS__ T * fetch, T * dest, T value, int pe)) {                        \
    fetch_later<amo_op::VERB, T>("shmem_" #N "_atomic_fetch_" #OP "_nbi", GIVEN, fetch, dest, pe, \
                                 value);                                                          \
  }
#define FAR_SHMEM_BITWISE_BODIES(CTX, GIVEN, T, N)       \
  FAR_SHMEM_BITWISE_BODY(GIVEN, T, N, and, bit_and, CTX) \
  FAR_SHMEM_BITWISE_BODY(GIVEN, T, N, or, bit_or, CTX)   \
  FAR_SHMEM_BITWISE_BODY(GIVEN, T, N, xor, bit_xor, CTX)

#define FAR_SHMEM_BOTH_WAYS(BODIES, T, N)           \
  BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, T, N) \
  BODIES(FAR_SHMEM_WITH_CTX, ctx, T, ctx_##N)

FAR_SHMEM_EXTENDED_AMO(FAR_SHMEM_BOTH_WAYS, FAR_SHMEM_EXTENDED_BODIES)
FAR_SHMEM_AMO(FAR_SHMEM_BOTH_WAYS, FAR_SHMEM_AMO_BODIES)
FAR_SHMEM_BITWISE_AMO(FAR_SHMEM_BOTH_WAYS, FAR_SHMEM_BITWISE_BODIES)

// Deprecated names.
#define FAR_SHMEM_OLD_EXTENDED_BODIES(A, T, N)                                              \
  FAR_SHMEM_FUNCTION(T, N##_fetch, (const T* source, int pe)) {                             \
    return fetch<amo_op::load, T>("shmem_" #N "_fetch", SHMEM_CTX_DEFAULT, source, pe);     \
  }                                                                                         \
  FAR_SHMEM_FUNCTION(void, N##_set, (T * dest, T value, int pe)) {                          \
    change<amo_op::store, T>("shmem_" #N "_set", SHMEM_CTX_DEFAULT, dest, pe, value);       \
  }                                                                                         \
  FAR_SHMEM_FUNCTION(T, N##_swap, (T * dest, T value, int pe)) {                            \
    return fetch<amo_op::swap, T>("shmem_" #N "_swap", SHMEM_CTX_DEFAULT, dest, pe, value); \
  }
#define FAR_SHMEM_OLD_BODIES(A, T, N)                                                           \
  FAR_SHMEM_FUNCTION(T, N##_cswap, (T * dest, T cond, T value, int pe)) {                       \
    return fetch<amo_op::compare_swap, T>("shmem_" #N "_cswap", SHMEM_CTX_DEFAULT, dest, pe,    \
                                          value, cond);                                         \
  }                                                                                             \
  FAR_SHMEM_FUNCTION(T, N##_finc, (T * dest, int pe)) {                                         \
    return fetch<amo_op::add, T>("shmem_" #N "_finc", SHMEM_CTX_DEFAULT, dest, pe,              \
                                 static_cast<T>(1));                                            \
  }                                                                                             \
  FAR_SHMEM_FUNCTION(void, N##_inc, (T * dest, int pe)) {                                       \
    change<amo_op::add, T>("shmem_" #N "_inc", SHMEM_CTX_DEFAULT, dest, pe, static_cast<T>(1)); \
  }                                                                                             \
  FAR_SHMEM_FUNCTION(T, N##_fadd, (T * dest, T value, int pe)) {                                \
    return fetch<amo_op::add, T>("shmem_" #N "_fadd", SHMEM_CTX_DEFAULT, dest, pe, value);      \
  }                                                                                             \
  FAR_SHMEM_FUNCTION(void, N##_add, (T * dest, T value, int pe)) {                              \
    change<amo_op::add, T>("shmem_" #N "_add", SHMEM_CTX_DEFAULT, dest, pe, value);             \
  }
FAR_SHMEM_EXTENDED_AMO(FAR_SHMEM_OLD_EXTENDED_BODIES, )
FAR_SHMEM_AMO(FAR_SHMEM_OLD_BODIES, )
