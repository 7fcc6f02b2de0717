#pragma once
// The kinds of items: how each kind is read, stored and printed.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/input_file.hpp"
#include "apps/count/fasta.hpp"
#include "apps/count/oracle.hpp"
#include "apps/count/words.hpp"

namespace far::apps {

struct word_items {
  using item = std::string;

  /// Calls visit(const item&) for each item of a part, and between() after each piece of the file.
  /// Errors: input_error.
  template <class Visit, class Between>
  void read(const std::string& path, const input_plan& plan, file_part part,
            input_settings settings, Visit visit, Between between) const {
    word_reader reader(path, plan, part, std::move(settings));
    item word;  // reused, to allocate only for the longest word
    while (reader.read([&](std::string_view text) { visit(word.assign(text)); })) between();
  }

  [[nodiscard]] std::string text_of(const item& word) const { return word; }
  [[nodiscard]] item item_of(const std::string& text) const { return text; }

  /// Counts the items of a whole file by the sequential oracle.
  void count_sequentially(std::string_view text, oracle::counts<std::string>& into) const {
    oracle::count_words(text, into);
  }
};

struct kmer_items {
  using item = kmer;

  template <class Visit, class Between>
  void read(const std::string& path, const input_plan& plan, file_part part,
            input_settings settings, Visit visit, Between between) const {
    kmer_reader reader(path, plan, part, rules, std::move(settings));
    for (std::vector<kmer> kmers; reader.read(kmers); kmers.clear()) {
      for (const kmer code : kmers) visit(code);
      between();
    }
  }

  [[nodiscard]] std::string text_of(item code) const { return kmer_text(code, rules.k); }
  [[nodiscard]] item item_of(std::string_view text) const {
    constexpr std::string_view letters = "ACGT";
    kmer code = 0;
    for (const char c : text) code = code << 2 | letters.find(c);
    return code;
  }

  void count_sequentially(std::string_view text, oracle::counts<std::string>& into) const {
    oracle::count_kmers(text, rules.k, rules.canonical, into);
  }

  kmer_rules rules;
};

}  // namespace far::apps
