#include "apps/count/fasta.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "apps/common/item_reader.hpp"
#include "apps/common/raw_file.hpp"

namespace far::apps {
namespace {

enum : std::uint8_t { letter_t = 3, other_letter, blank, carriage_return, line_end, not_text };

constexpr std::array<std::uint8_t, 256> byte_kinds = [] {
  std::array<std::uint8_t, 256> kinds = {};
  kinds.fill(not_text);
  for (std::size_t c = '!'; c <= '~'; ++c) kinds[c] = other_letter;
  for (const char c : {' ', '\t', '\v', '\f'}) kinds[static_cast<unsigned char>(c)] = blank;
  kinds['\r'] = carriage_return;
  kinds['\n'] = line_end;
  constexpr std::string_view letters = "ACGT";
  for (std::size_t code = 0; code < letters.size(); ++code) {
    const auto upper = static_cast<std::size_t>(letters[code]);
    kinds[upper] = kinds[upper + ('a' - 'A')] = static_cast<std::uint8_t>(code);
  }
  return kinds;
}();

std::uint8_t kind_of(char c) { return byte_kinds[static_cast<unsigned char>(c)]; }

kmer_scanner::line kind_of_line(char first) {
  if (first == '>') return kmer_scanner::line::header;
  return first == ';' ? kmer_scanner::line::comment : kmer_scanner::line::sequence;
}

// The start of the line that contains the byte before `offset`; `offset` itself if that byte ends a
// line. The text begins at `first`, before `offset`. Lines may be as long as a genome, so this
// searches the file backwards.
std::uint64_t line_begin(const raw_file& file, std::uint64_t first, std::uint64_t offset) {
  std::vector<char> buffer(64 * 1024);
  std::uint64_t end = offset;
  while (end > first) {
    const auto bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - first));
    const std::size_t got = file.read_at(end - bytes, std::span(buffer).first(bytes));
    const std::size_t newline = std::string_view(buffer.data(), got).rfind('\n');
    if (newline != std::string_view::npos) return end - bytes + newline + 1;
    end -= bytes;
  }
  return first;
}

// The state of a scanner that starts at `offset` of a plain file's text.
kmer_scanner::line line_at(const std::string& path, const input_plan& plan, std::uint64_t offset) {
  if (plan.kind != input_kind::plain_file || offset == 0) return kmer_scanner::line::first;
  const raw_file file(path);
  const std::uint64_t here = plan.mark_bytes + offset;
  const std::uint64_t begin = line_begin(file, plan.mark_bytes, here);
  if (begin == here) return kmer_scanner::line::start;
  char first = '\n';
  file.read_at(begin, std::span(&first, 1));
  return kind_of_line(first);
}

}  // namespace

std::string kmer_text(kmer code, int k) {
  std::string text(static_cast<std::size_t>(k), ' ');
  for (auto letter = text.rbegin(); letter != text.rend(); ++letter, code >>= 2) {
    *letter = "ACGT"[code & 3];
  }
  return text;
}

kmer reverse_complement(kmer code, int k) {
  kmer reversed = 0;
  for (int i = 0; i < k; ++i, code >>= 2) reversed = reversed << 2 | (3 - (code & 3));
  return reversed;
}

kmer_scanner::kmer_scanner(kmer_rules rules, line state) : rules_(rules), state_(state) {
  if (rules.k < 1 || rules.k > largest_k) {
    throw bad_argument(
        fmt::format("k-mers of {} letters; choose k from 1 to {}", rules.k, largest_k));
  }
  mask_ = (kmer{1} << (2 * rules.k)) - 1;
  unfinished_mask_ = (std::uint64_t{1} << (rules.k - 1)) - 1;
}

void kmer_scanner::scan(std::string_view text, bool owned, std::vector<kmer>& kmers) {
  std::size_t at = 0;
  while (at < text.size()) {
    switch (state_) {
      case line::first:
      case line::start:
        at = scan_start(text, at);
        break;
      case line::header:
      case line::comment:
        at = scan_ignored_line(text, at, owned);
        break;
      case line::sequence:
        at = scan_sequence(text, at, owned, kmers);
        break;
    }
  }
}

std::size_t kmer_scanner::scan_start(std::string_view text, std::size_t at) {
  const std::uint8_t kind = kind_of(text[at]);
  const bool empty = kind == blank || kind == carriage_return;
  if (kind == line_end || (state_ == line::first && empty)) return at + 1;
  const line begun = kind_of_line(text[at]);
  if (state_ == line::first && begun == line::sequence) {
    throw text_error(at,
                     fmt::format("expected '>' and a record's name, found {}; give a FASTA file",
                                 quoted_byte(text[at])));
  }
  if (begun == line::header) history_ = 0;
  state_ = begun;
  return at;
}

// Skips a header or a comment. If lines ended with a carriage return alone, as on old Macs, the
// whole file would be one header, so a carriage return inside the line is an error.
std::size_t kmer_scanner::scan_ignored_line(std::string_view text, std::size_t at, bool owned) {
  const char* const complaint = "carriage return inside a header; end lines with a newline";
  if (std::exchange(carriage_return_, false) && text[at] != '\n') throw text_error(at, complaint);
  const std::size_t end = std::min(text.find('\n', at), text.size());
  if (owned) {
    const std::size_t found = text.substr(0, end).find('\r', at);
    if (found < end) {
      if (found + 1 < end) throw text_error(found, complaint);
      carriage_return_ = end == text.size();
    }
  }
  if (end == text.size()) return end;
  state_ = line::start;
  return end + 1;
}

std::size_t kmer_scanner::scan_sequence(std::string_view text, std::size_t at, bool owned,
                                        std::vector<kmer>& kmers) {
  if (!owned && !unfinished()) {
    history_ = 0;
    const std::size_t end = text.find('\n', at);
    if (end == text.npos) return text.size();
    state_ = line::start;
    return end + 1;
  }
  const int oldest = rules_.k - 1;
  const int top_shift = 2 * oldest;
  for (; at < text.size(); ++at) {
    const std::uint8_t kind = kind_of(text[at]);
    if (kind <= letter_t) {
      history_ = history_ << 1 | (owned ? 1U : 0U);
      forward_ = (forward_ << 2 | kind) & mask_;
      backward_ = backward_ >> 2 | (kmer{letter_t} - kind) << top_shift;
      if ((history_ >> oldest & 1) != 0) {
        kmers.push_back(rules_.canonical ? std::min(forward_, backward_) : forward_);
      }
    } else if (kind == line_end) {
      state_ = line::start;
      return at + 1;
    } else if (kind == other_letter || kind == blank) {
      history_ = 0;
    } else if (kind == not_text) {
      throw text_error(
          at, fmt::format("expected a letter, found {}; give a FASTA file", quoted_byte(text[at])));
    }
  }
  return at;
}

kmer_reader::kmer_reader(std::string path, const input_plan& plan, file_part part, kmer_rules rules,
                         input_settings settings)
    : file_(std::move(path), plan, part, std::move(settings)),
      scanner_(rules, line_at(file_.path(), plan, file_.begin())) {}

bool kmer_reader::read(std::vector<kmer>& kmers) {
  if (file_.done() && !scanner_.unfinished()) return false;
  input_piece piece;
  if (!file_.next(piece)) return false;
  try {
    scanner_.scan(piece.bytes, piece.owned, kmers);
  } catch (const text_error& error) {
    const std::uint64_t offset = piece.offset + error.offset;
    const bool stream = file_.plan().kind == input_kind::stream;
    const text_position where =
        stream ? lines_.at(piece.bytes, error.offset) : locate(file_.path(), offset);
    throw input_error(file_.path(), where, offset, error.what());
  }
  if (file_.plan().kind == input_kind::stream) lines_.advance(piece.bytes);
  return true;
}

}  // namespace far::apps
