#pragma once
// Words of files: runs of non-whitespace bytes (whitespace: space, \t, \n, \v, \f, \r). Case is
// kept.

#include <cstddef>
#include <string>
#include <string_view>

#include "apps/common/item_reader.hpp"

namespace far::apps {

/// A longer word is an error: the file is probably not text.
inline constexpr std::size_t longest_word = std::size_t{16} << 20;

/// Calls visit(std::string_view) with each word of `text`.
template <class Visit>
void for_each_word(std::string_view text, Visit&& visit) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    while (at != end && is_whitespace(*at)) ++at;
    if (at == end) return;
    const char* const begin = at;
    while (at != end && !is_whitespace(*at)) ++at;
    visit(std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
}

/// The words of one part of a file. Not thread-safe.
class word_reader {
 public:
  word_reader(std::string path, const input_plan& plan, file_part part,
              input_settings settings = {})
      : items_(std::move(path), plan, part, separator::whitespace, longest_word,
               std::move(settings)) {}

  /// Visits more words, which are valid only during the visit; returns false if there are no more.
  /// Errors: input_error.
  template <class Visit>
  bool read(Visit&& visit) {
    item_chunk chunk;
    if (!items_.next(chunk)) return false;
    for_each_word(chunk.text, visit);
    return true;
  }

 private:
  item_reader items_;
};

}  // namespace far::apps
