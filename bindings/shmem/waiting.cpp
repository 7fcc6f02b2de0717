#include "shmem/waiting.hpp"

#include <far/base/error.hpp>
#include <fmt/format.h>

#include "far_shmem/deprecated.h"
#include "far_shmem/waiting.h"
#include "shmem/places.hpp"
#include "shmem/runtime.hpp"

namespace far::shmem {

void await(const void* words, std::uint64_t bytes, base::function_ref<bool()> ready) {
  runtime& self = runtime::get();
  const fabric::address first = address_of(words, bytes, self.pe());
  // The fabric's wait makes progress at each look, which takes longer than a PE nearby.
  constexpr int quick_looks = 256;
  for (int i = 0; i < quick_looks; ++i) {
    if (ready()) return;
  }
  const lane_use use = lane_here();
  use->context().wait(ready, fabric::never, {"words", -1, first, true});
}

void check_comparison(int cmp) {
  if (cmp >= SHMEM_CMP_EQ && cmp <= SHMEM_CMP_LE) return;
  throw bad_argument(fmt::format("there is no comparison {}: use SHMEM_CMP_EQ or another", cmp));
}

namespace {

/// Several words that a call waits for or tests; those with a status other than 0 are left out.
template <class T>
struct word_list {
  const T* words;
  std::size_t n;
  const int* status;
  int cmp;
  const T* values;  ///< one, or as many as there are words
  bool is_vector;

  [[nodiscard]] bool counts(std::size_t i) const noexcept {
    return status == nullptr || status[i] == 0;
  }
  [[nodiscard]] bool is_there(std::size_t i) const noexcept {
    return holds(look_at(words + i), cmp, values[is_vector ? i : 0]);
  }
  [[nodiscard]] bool is_empty() const noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      if (counts(i)) return false;
    }
    return true;
  }
  [[nodiscard]] bool all() const noexcept {
    for (std::size_t i = 0; i < n; ++i) {
      if (counts(i) && !is_there(i)) return false;
    }
    return true;
  }
  /// The first one at or after `from`, cyclically; SIZE_MAX: none.
  [[nodiscard]] std::size_t any(std::size_t from) const noexcept {
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = from + k < n ? from + k : from + k - n;
      if (counts(i) && is_there(i)) return i;
    }
    return SIZE_MAX;
  }
  [[nodiscard]] std::size_t some(std::size_t* indices) const noexcept {
    std::size_t found = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (counts(i) && is_there(i)) indices[found++] = i;
    }
    return found;
  }
};

/// Where a search for any word begins: so that none is found again and again while others starve.
std::size_t next_start(std::size_t n) noexcept {
  thread_local std::size_t calls = 0;
  return n == 0 ? 0 : calls++ % n;
}

template <class T>
void wait_all(const char* function, const word_list<T>& list) noexcept {
  guarded(function, [&] {
    check_comparison(list.cmp);
    if (list.all()) return;
    await(list.words, list.n * sizeof(T), [&] { return list.all(); });
  });
}

template <class T>
std::size_t wait_any(const char* function, const word_list<T>& list) noexcept {
  return guarded(function, [&] {
    check_comparison(list.cmp);
    const std::size_t start = next_start(list.n);
    std::size_t found = list.any(start);
    if (found != SIZE_MAX || list.is_empty()) return found;
    await(list.words, list.n * sizeof(T), [&] { return (found = list.any(start)) != SIZE_MAX; });
    return found;
  });
}

template <class T>
std::size_t wait_some(const char* function, const word_list<T>& list,
                      std::size_t* indices) noexcept {
  return guarded(function, [&] {
    check_comparison(list.cmp);
    std::size_t found = list.some(indices);
    if (found != 0 || list.is_empty()) return found;
    await(list.words, list.n * sizeof(T), [&] { return (found = list.some(indices)) != 0; });
    return found;
  });
}

/// A test that fails lets the others go on: programs call it in loops.
void after_failed_test(const char* function, int cmp) noexcept {
  guarded(function, [&] {
    check_comparison(cmp);
    runtime& self = runtime::get();
    if (!places.is_coherent) {
      lane_use use = lane_here();
      use->context().progress();
    }
    static thread_local unsigned failures = 0;
    if ((++failures & 63) == 0) self.world().fabric().check_job();
  });
}

template <class T>
int test_one(const char* function, const T* word, int cmp, T value) noexcept {
  if (holds(look_at(word), cmp, value)) return 1;
  after_failed_test(function, cmp);
  return 0;
}

template <class T>
int test_all(const char* function, const word_list<T>& list) noexcept {
  if (list.all()) return 1;
  after_failed_test(function, list.cmp);
  return 0;
}

template <class T>
std::size_t test_any(const char* function, const word_list<T>& list) noexcept {
  const std::size_t found = list.any(next_start(list.n));
  if (found == SIZE_MAX) after_failed_test(function, list.cmp);
  return found;
}

template <class T>
std::size_t test_some(const char* function, const word_list<T>& list,
                      std::size_t* indices) noexcept {
  const std::size_t found = list.some(indices);
  if (found == 0) after_failed_test(function, list.cmp);
  return found;
}

}  // namespace
}  // namespace far::shmem

using namespace far::shmem;

// SUFFIX, VALUES: with one value, or a vector of them.
#define FAR_SHMEM_LIST_BODIES(T, N, SUFFIX, PARAMETER, VALUES, IS_VECTOR)                   \
  FAR_SHMEM_FUNCTION(void, N##_wait_until_all##SUFFIX,                                      \
                     (FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, PARAMETER)) {                   \
    wait_all<T>("shmem_" #N "_wait_until_all" #SUFFIX,                                      \
                {ivars, nelems, status, cmp, VALUES, IS_VECTOR});                           \
  }                                                                                         \
  FAR_SHMEM_FUNCTION(size_t, N##_wait_until_any##SUFFIX,                                    \
                     (FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, PARAMETER)) {                   \
    return wait_any<T>("shmem_" #N "_wait_until_any" #SUFFIX,                               \
                       {ivars, nelems, status, cmp, VALUES, IS_VECTOR});                    \
  }                                                                                         \
  FAR_SHMEM_FUNCTION(size_t, N##_wait_until_some##SUFFIX,                                   \
                     (FAR_SHMEM_IVARS(T), size_t * indices, FAR_SHMEM_CHOSEN, PARAMETER)) { \
    return wait_some<T>("shmem_" #N "_wait_until_some" #SUFFIX,                             \
                        {ivars, nelems, status, cmp, VALUES, IS_VECTOR}, indices);          \
  }                                                                                         \
  FAR_SHMEM_FUNCTION(int, N##_test_all##SUFFIX,                                             \
                     (FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, PARAMETER)) {                   \
    return test_all<T>("shmem_" #N "_test_all" #SUFFIX,                                     \
                       {ivars, nelems, status, cmp, VALUES, IS_VECTOR});                    \
  }                                                                                         \
  FAR_SHMEM_FUNCTION(size_t, N##_test_any##SUFFIX,                                          \
                     (FAR_SHMEM_IVARS(T), FAR_SHMEM_CHOSEN, PARAMETER)) {                   \
    return test_any<T>("shmem_" #N "_test_any" #SUFFIX,                                     \
                       {ivars, nelems, status, cmp, VALUES, IS_VECTOR});                    \
  }                                                                                         \
  FAR_SHMEM_FUNCTION(size_t, N##_test_some##SUFFIX,                                         \
                     (FAR_SHMEM_IVARS(T), size_t * indices, FAR_SHMEM_CHOSEN, PARAMETER)) { \
    return test_some<T>("shmem_" #N "_test_some" #SUFFIX,                                   \
                        {ivars, nelems, status, cmp, VALUES, IS_VECTOR}, indices);          \
  }

#define FAR_SHMEM_WAITING_BODIES(A, T, N)                                      \
  FAR_SHMEM_FUNCTION(void, N##_wait_until, (T * ivar, int cmp, T cmp_value)) { \
    (void)wait_for<T>("shmem_" #N "_wait_until", ivar, cmp, cmp_value);        \
  }                                                                            \
  FAR_SHMEM_FUNCTION(int, N##_test, (T * ivar, int cmp, T cmp_value)) {        \
    return test_one<T>("shmem_" #N "_test", ivar, cmp, cmp_value);             \
  }                                                                            \
  FAR_SHMEM_LIST_BODIES(T, N, , T cmp_value, &cmp_value, false)                \
  FAR_SHMEM_LIST_BODIES(T, N, _vector, const T* cmp_values, cmp_values, true)

FAR_SHMEM_SYNC(FAR_SHMEM_WAITING_BODIES, )

// Deprecated: without a comparison, and without a type.
#define FAR_SHMEM_OLD_WAIT_BODY(A, T, N)                                   \
  FAR_SHMEM_FUNCTION(void, N##_wait, (T * ivar, T cmp_value)) {            \
    (void)wait_for<T>("shmem_" #N "_wait", ivar, SHMEM_CMP_NE, cmp_value); \
  }
FAR_SHMEM_OLD_SYNC(FAR_SHMEM_OLD_WAIT_BODY, )
FAR_SHMEM_FUNCTION(void, wait, (long* ivar, long cmp_value)) {
  (void)wait_for<long>("shmem_wait", ivar, SHMEM_CMP_NE, cmp_value);
}
FAR_SHMEM_FUNCTION(void, wait_until, (long* ivar, int cmp, long cmp_value)) {
  (void)wait_for<long>("shmem_wait_until", ivar, cmp, cmp_value);
}
