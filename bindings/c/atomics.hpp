#pragma once
// Atomic operations that are chosen at run time, on words and on volatile fields of objects.

#include <concepts>
#include <cstdint>

#include <far/far.hpp>
#include <fmt/format.h>

#include "far/c/memory.h"

namespace far::c {

struct atomic_request {
  int op;
  std::uint64_t operand;
  std::uint64_t compare;
  std::uint64_t* old;  ///< or null
};

/// On a far::atomic_ref or far::volatile_field. Bitwise operations of the latter are loops.
template <class T, class Word>
void perform_on(const char* what, const Word& word, const atomic_request& asked) {
  const auto operand = static_cast<T>(asked.operand);
  const auto keep = [&](T value) {
    if (asked.old != nullptr) *asked.old = value;
  };
  const auto update = [&](auto change) {
    T seen = word.load();
    while (!word.compare_exchange(seen, change(seen))) {
    }
    keep(seen);
  };
  switch (asked.op) {
    case FAR_LOAD:
      return keep(word.load());
    case FAR_STORE:
      return word.store(operand);
    case FAR_EXCHANGE:
      return keep(word.exchange(operand));
    case FAR_COMPARE_EXCHANGE: {
      auto expected = static_cast<T>(asked.compare);
      word.compare_exchange(expected, operand);
      return keep(expected);
    }
    case FAR_ADD:
      return keep(word.fetch_add(operand));
    case FAR_AND:
      if constexpr (requires { word.fetch_and(operand); }) {
        return keep(word.fetch_and(operand));
      } else {
        return update([&](T seen) { return static_cast<T>(seen & operand); });
      }
    case FAR_OR:
      if constexpr (requires { word.fetch_or(operand); }) {
        return keep(word.fetch_or(operand));
      } else {
        return update([&](T seen) { return static_cast<T>(seen | operand); });
      }
    case FAR_XOR:
      if constexpr (requires { word.fetch_xor(operand); }) {
        return keep(word.fetch_xor(operand));
      } else {
        return update([&](T seen) { return static_cast<T>(seen ^ operand); });
      }
  }
  throw bad_argument(fmt::format("{}: there is no atomic operation {}", what, asked.op));
}

/// word_of<T>() is the word, T an unsigned integer of `width` bytes.
/// Errors: bad_argument for another width or operation.
template <class WordOf>
void perform_atomic(const char* what, int width, const atomic_request& asked, WordOf word_of) {
  if (width == 8) {
    const auto word = word_of.template operator()<std::uint64_t>();
    return perform_on<std::uint64_t>(what, word, asked);
  }
  if (width != 4) {
    throw bad_argument(fmt::format("{}: a word of {} bytes, want 4 or 8", what, width));
  }
  const auto word = word_of.template operator()<std::uint32_t>();
  perform_on<std::uint32_t>(what, word, asked);
}

}  // namespace far::c
