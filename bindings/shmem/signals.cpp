// Puts that change a signal word once their payload is there, and signals without a payload.

#include <far/base/error.hpp>
#include <fmt/format.h>

#include "far_shmem/transfers.h"
#include "far_shmem/waiting.h"
#include "shmem/transfer.hpp"
#include "shmem/waiting.hpp"

namespace far::shmem {
namespace {

struct signal_change {
  std::uint64_t* word;
  std::uint64_t value;
  int op;
};

/// By an instruction; after everything earlier.
void change_signal(std::byte* word, const signal_change& change) noexcept {
  if (change.op == SHMEM_SIGNAL_SET) {
    rma::store_word(word, change.value);
  } else {
    rma::atomic_word<std::uint64_t>(word).fetch_add(change.value, std::memory_order_acq_rel);
  }
}

void signal_slowly(const char* function, shmem_ctx_t context, void* dest, const void* source,
                   std::uint64_t bytes, const signal_change& change, int pe,
                   completes when) noexcept {
  guarded(function, [&] {
    if (change.op != SHMEM_SIGNAL_SET && change.op != SHMEM_SIGNAL_ADD) {
      throw bad_argument(fmt::format("there is no signal operation {}", change.op));
    }
    const int to = checked_pe(context, pe);
    const fabric::address word = address_of(change.word, sizeof(std::uint64_t), to);
    const bool sets = change.op == SHMEM_SIGNAL_SET;
    lane_use use = lane_of(context);
    if (bytes == 0) {
      fabric::amo_request request;
      request.word = word;
      request.op = sets ? fabric::amo_op::store : fabric::amo_op::add;
      request.operand = change.value;
      request.wake = true;
      return use->context().amo(request, nullptr);
    }
    const fabric::put_part part{address_of(dest, bytes, to), source, bytes};
    const fabric::signal after{word, change.value,
                               sets ? fabric::signal::kind::set : fabric::signal::kind::add};
    fabric::release_fence();
    fabric::completion taken;
    use->context().put({&part, 1}, nullptr, when == completes::later ? nullptr : &taken, &after);
    use->context().wait(taken, {"put with signal", to, word});
  });
}

inline void put_signalled(const char* function, shmem_ctx_t context, void* dest, const void* source,
                          std::uint64_t bytes, const signal_change& change, int pe,
                          completes when) {
  const int to = world_pe(context, pe);
  std::byte* const word = reached<access::atomic>(change.word, sizeof(std::uint64_t), to);
  std::byte* const there = bytes == 0 ? word : reached(dest, bytes, to);
  const bool is_known = change.op == SHMEM_SIGNAL_SET || change.op == SHMEM_SIGNAL_ADD;
  if (word == nullptr || there == nullptr || !is_known) [[unlikely]] {
    return signal_slowly(function, context, dest, source, bytes, change, pe, when);
  }
  fabric::release_fence();
  if (there != source) fabric::copy_bytes(there, source, bytes);
  fabric::release_fence();
  change_signal(word, change);
  places.waker.changed(to);
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

#define FAR_SHMEM_SIGNAL_BODIES(CTX, GIVEN, T, BYTES, PUT)                                       \
  FAR_SHMEM_FUNCTION(void, PUT##_signal,                                                         \
                     (CTX T * dest, const T* source, size_t nelems, FAR_SHMEM_SIGNAL, int pe)) { \
    put_signalled("shmem_" #PUT "_signal", GIVEN, dest, source, bytes_of(nelems, BYTES),         \
                  {sig_addr, signal, sig_op}, pe, completes::before_return);                     \
  }                                                                                              \
  FAR_SHMEM_FUNCTION(void, PUT##_signal_nbi,                                                     \
                     (CTX T * dest, const T* source, size_t nelems, FAR_SHMEM_SIGNAL, int pe)) { \
    put_signalled("shmem_" #PUT "_signal_nbi", GIVEN, dest, source, bytes_of(nelems, BYTES),     \
                  {sig_addr, signal, sig_op}, pe, completes::later);                             \
  }

#define FAR_SHMEM_TYPED_SIGNALS(A, T, NAME)                                              \
  FAR_SHMEM_SIGNAL_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, T, sizeof(T), NAME##_put) \
  FAR_SHMEM_SIGNAL_BODIES(FAR_SHMEM_WITH_CTX, ctx, T, sizeof(T), ctx_##NAME##_put)
#define FAR_SHMEM_SIZED_SIGNALS(A, BYTES, BITS)                                        \
  FAR_SHMEM_SIGNAL_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, void, BYTES, put##BITS) \
  FAR_SHMEM_SIGNAL_BODIES(FAR_SHMEM_WITH_CTX, ctx, void, BYTES, ctx_put##BITS)

FAR_SHMEM_RMA(FAR_SHMEM_TYPED_SIGNALS, )
FAR_SHMEM_SIZES(FAR_SHMEM_SIZED_SIGNALS, )
FAR_SHMEM_SIGNAL_BODIES(FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, void, 1, putmem)
FAR_SHMEM_SIGNAL_BODIES(FAR_SHMEM_WITH_CTX, ctx, void, 1, ctx_putmem)

#define FAR_SHMEM_ONLY_SIGNAL(NAME, CTX, GIVEN, OP)                                       \
  FAR_SHMEM_FUNCTION(void, NAME, (CTX uint64_t * sig_addr, uint64_t signal, int pe)) {    \
    put_signalled("shmem_" #NAME, GIVEN, nullptr, nullptr, 0, {sig_addr, signal, OP}, pe, \
                  completes::later);                                                      \
  }
FAR_SHMEM_ONLY_SIGNAL(signal_set, FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, SHMEM_SIGNAL_SET)
FAR_SHMEM_ONLY_SIGNAL(signal_add, FAR_SHMEM_NO_CTX, SHMEM_CTX_DEFAULT, SHMEM_SIGNAL_ADD)
FAR_SHMEM_ONLY_SIGNAL(ctx_signal_set, FAR_SHMEM_WITH_CTX, ctx, SHMEM_SIGNAL_SET)
FAR_SHMEM_ONLY_SIGNAL(ctx_signal_add, FAR_SHMEM_WITH_CTX, ctx, SHMEM_SIGNAL_ADD)

FAR_SHMEM_FUNCTION(uint64_t, signal_fetch, (const uint64_t* sig_addr)) {
  return far::rma::load_word<std::uint64_t>(reinterpret_cast<const std::byte*>(sig_addr));
}

FAR_SHMEM_FUNCTION(uint64_t, signal_wait_until,
                   (uint64_t * sig_addr, int cmp, uint64_t cmp_value)) {
  return wait_for("shmem_signal_wait_until", sig_addr, cmp, cmp_value);
}
