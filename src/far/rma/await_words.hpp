#pragma once
// Waiting for words that change in ways that wake nobody: by plain puts, atomics that are not
// waking, and stores of ranks that reach the memory (axiom 14).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "far/fabric/context.hpp"
#include "far/memory/ptr.hpp"
#include "far/world/world.hpp"

namespace far {

/// How a word is compared with a value: word == value, word != value, ...
enum class comparison : std::uint8_t { eq, ne, gt, ge, lt, le };

/// Words of 2, 4 or 8 bytes, which are compared as their type is: signed or not.
template <class T>
concept awaitable_word = std::integral<T> && !std::same_as<std::remove_cv_t<T>, bool> &&
                         (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

/// Adjacent words of this rank, and what is awaited of each.
template <awaitable_word T>
struct awaited_words {
  ptr<T> first = {};
  std::size_t count = 1;
  comparison how = comparison::ne;
  std::span<const T> values = {};      ///< one for all words, or one for each
  std::span<const int> excluded = {};  ///< empty, or one for each: words where it is not 0 are not
                                       ///< awaited
};

namespace rma {

/// awaited_words without its type.
struct word_set {
  const char* caller;
  fabric::address first;
  std::size_t count;
  unsigned bytes;
  bool is_signed;
  comparison how;
  std::span<const std::byte> values;
  std::span<const int> excluded;
};

template <class T>
[[nodiscard]] word_set set_of(const char* caller, const awaited_words<T>& words) noexcept {
  return {caller,    words.first.address(),       words.count,   sizeof(T), std::is_signed_v<T>,
          words.how, std::as_bytes(words.values), words.excluded};
}

[[nodiscard]] bool await_all(const world& world, const word_set& words,
                             fabric::deadline_ns deadline);
[[nodiscard]] std::optional<std::size_t> await_any(const world& world, const word_set& words,
                                                   fabric::deadline_ns deadline);
std::size_t await_some(const world& world, const word_set& words, std::size_t* which,
                       fabric::deadline_ns deadline);
[[nodiscard]] bool test_all(const world& world, const word_set& words);
[[nodiscard]] std::optional<std::size_t> test_any(const world& world, const word_set& words);
std::size_t test_some(const world& world, const word_set& words, std::size_t* which);

}  // namespace rma

/// Waits until each awaited word has satisfied its comparison, at some time during the call.
/// Returns false if the deadline (of world.now()) passes first.
///
/// Any change of a word is seen, whoever makes it: a put, an atomic, a signal, a message's handler,
/// a store of a rank that reaches the memory. What a rank made visible before it changed the word
/// (flush, blocking puts; axioms 5 and 7) is seen after this returns.
/// Progress: made meanwhile. It spins for a while where cores are free, then it yields, then it
/// sleeps in naps of an eighth of the time waited so far, 30 us to 1 ms. Puts and atomics that go
/// through the fabric end a nap; who changes words by instructions may (fabric/plain_wake.hpp).
/// Threads: any, each with its own view. Cost: a load of each word that has not satisfied it.
/// Errors: bad_argument if the words are another rank's or not aligned, or if the number of values
/// or excluded flags does not match; out_of_bounds; rank_failed.
/// Checked by: await_words_test.plain_puts_end_waits, await_words_test.all_words_once,
/// await_words_test.a_failure_ends_waits
template <awaitable_word T>
inline bool await_all(const world& world, const awaited_words<T>& words,
                      fabric::deadline_ns deadline = fabric::never) {
  return rma::await_all(world, rma::set_of("await_all", words), deadline);
}

/// The same for one word.
/// Checked by: await_words_test.plain_puts_end_waits
template <awaitable_word T>
inline bool await_word(const world& world, ptr<T> word, comparison how,
                       std::type_identity_t<T> value,
                       fabric::deadline_ns deadline = fabric::never) {
  const awaited_words<T> one{word, 1, how, {&value, 1}, {}};
  return rma::await_all(world, rma::set_of("await_word", one), deadline);
}

/// Waits until one of the awaited words satisfies its comparison; returns its index, the lowest if
/// several do. Empty if no word is awaited, or if the deadline passes first.
///
/// Otherwise as await_all. Cost: a load of each awaited word, again and again.
///
/// Checked by: await_words_test.any_word
template <awaitable_word T>
inline std::optional<std::size_t> await_any(const world& world, const awaited_words<T>& words,
                                            fabric::deadline_ns deadline = fabric::never) {
  return rma::await_any(world, rma::set_of("await_any", words), deadline);
}

/// Waits until at least one of the awaited words satisfies its comparison. Writes the indices of
/// all that do to `which`, which has room for words.count, ascending; returns their number. 0 if no
/// word is awaited, or if the deadline passes first.
///
/// Otherwise as await_any.
///
/// Checked by: await_words_test.some_words
template <awaitable_word T>
inline std::size_t await_some(const world& world, const awaited_words<T>& words, std::size_t* which,
                              fabric::deadline_ns deadline = fabric::never) {
  return rma::await_some(world, rma::set_of("await_some", words), which, deadline);
}

/// As await_all, await_any and await_some, but they only look, make progress, and if that did not
/// suffice look again. test_all is true if no word is awaited.
/// Checked by: await_words_test.tests_do_not_wait
template <awaitable_word T>
[[nodiscard]] inline bool test_all(const world& world, const awaited_words<T>& words) {
  return rma::test_all(world, rma::set_of("test_all", words));
}
template <awaitable_word T>
[[nodiscard]] inline std::optional<std::size_t> test_any(const world& world,
                                                         const awaited_words<T>& words) {
  return rma::test_any(world, rma::set_of("test_any", words));
}
template <awaitable_word T>
inline std::size_t test_some(const world& world, const awaited_words<T>& words,
                             std::size_t* which) {
  return rma::test_some(world, rma::set_of("test_some", words), which);
}

}  // namespace far
