#pragma once
// k-mers of FASTA files: every window of k consecutive letters A, C, G, T (in either case) of one
// record.
//
// A line that starts with > begins a record; a line that starts with ; is a comment and ignored;
// the rest is sequence, in which line ends have no meaning. A window with any other character
// (N, -, *, a blank) is skipped. So no window spans a blank, even at the end of a line, as in
// jellyfish and KMC. Text that starts with neither > nor ; is an error: it is another format
// (FASTQ, GenBank, bare sequence).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/input_error.hpp"
#include "apps/common/input_file.hpp"

namespace far::apps {

inline constexpr int largest_k = 31;  ///< two bits per letter, in 64

/// A=0, C=1, G=2, T=3, with the first letter in the highest bits: numbers sort like the text.
using kmer = std::uint64_t;

[[nodiscard]] std::string kmer_text(kmer code, int k);
[[nodiscard]] kmer reverse_complement(kmer code, int k);

struct kmer_rules {
  int k = 21;              ///< 1..31
  bool canonical = false;  ///< count a k-mer and its reverse complement as the smaller of the two
};

/// Scans FASTA text piece by piece. A window belongs to the owner of its first letter.
class kmer_scanner {
 public:
  /// The kind of line in which the text starts; `first`: no record has begun.
  enum class line : std::uint8_t { first, start, header, comment, sequence };

  /// Errors: bad_argument for a k outside 1..31.
  kmer_scanner(kmer_rules rules, line state);

  /// Appends the windows that end in `text` and whose first letter is owned.
  /// Errors: text_error.
  void scan(std::string_view text, bool owned, std::vector<kmer>& kmers);

  /// True if the scanner still needs text that is not owned, such as to complete owned windows.
  [[nodiscard]] bool unfinished() const {
    return state_ == line::first || carriage_return_ || (history_ & unfinished_mask_) != 0;
  }

 private:
  std::size_t scan_start(std::string_view text, std::size_t at);
  std::size_t scan_ignored_line(std::string_view text, std::size_t at, bool owned);
  std::size_t scan_sequence(std::string_view text, std::size_t at, bool owned,
                            std::vector<kmer>& kmers);

  kmer_rules rules_;
  line state_;
  bool carriage_return_ = false;  // the text so far ends with one, in an ignored line
  // Bit i: the letter i places back was owned, and no other character has broken the window since.
  // So bit k-1 shows that the window that ends now is ours.
  std::uint64_t history_ = 0;
  std::uint64_t unfinished_mask_;
  kmer forward_ = 0, backward_ = 0;  // the last k letters and their reverse complement
  kmer mask_;
};

/// The k-mers of one part of a FASTA file, plain or packed. Not thread-safe.
class kmer_reader {
 public:
  /// Errors: bad_argument for a k outside 1..31, input_error.
  kmer_reader(std::string path, const input_plan& plan, file_part part, kmer_rules rules,
              input_settings settings = {});

  /// Appends more k-mers, at most one per byte of a piece; returns false if there are no more.
  bool read(std::vector<kmer>& kmers);

 private:
  input_file file_;
  kmer_scanner scanner_;
  line_counter lines_;  // streams only, which cannot be read again to count
};

}  // namespace far::apps
