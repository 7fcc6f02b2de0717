#pragma once
// k-mers of FASTA files: every window of k letters A, C, G, T (in either case) that follow one
// another in one record.
//
// A line that starts with > begins a record, one that starts with ; is a comment and left out;
// the rest is sequence, in which line ends mean nothing. A window with any other letter or sign
// (N, -, *, a blank) is skipped; so a blank parts what is before it from what is after it, at the
// end of a line too, as in jellyfish and KMC. Text that starts with neither > nor ; is an error,
// for it tells a file of another kind (FASTQ, GenBank, bare sequence).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/input_error.hpp"
#include "apps/common/input_file.hpp"

namespace far::apps {

inline constexpr int largest_k = 31;  ///< two bits a letter, in 64

/// A=0, C=1, G=2, T=3; the first letter in the highest bits, so numbers sort as text does.
using kmer = std::uint64_t;

[[nodiscard]] std::string kmer_text(kmer code, int k);
[[nodiscard]] kmer reverse_complement(kmer code, int k);

struct kmer_rules {
  int k = 21;              ///< 1..31
  bool canonical = false;  ///< a k-mer and its reverse complement are one, the smaller of the two
};

/// Reads FASTA text piece by piece. A window belongs to the owner of its first letter.
class kmer_scanner {
 public:
  /// What the line is in which the text starts.
  enum class line : std::uint8_t { first, start, header, comment, sequence };

  /// Errors: bad_argument for a k outside 1..31.
  kmer_scanner(kmer_rules rules, line state);

  /// Appends the windows that end in `text` and whose first letter was owned.
  /// Errors: text_error.
  void scan(std::string_view text, bool owned, std::vector<kmer>& kmers);

  /// Text that is not owned may still complete windows that are.
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
  // Bit i: the letter i places back was owned, and no window has broken since. So bit k-1 says
  // that the window which is complete now is one of ours.
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

  /// Appends some more k-mers, at most one per byte of a piece; false when there are none.
  bool read(std::vector<kmer>& kmers);

 private:
  input_file file_;
  kmer_scanner scanner_;
  line_counter lines_;  // streams only, which cannot be read again to count
};

}  // namespace far::apps
