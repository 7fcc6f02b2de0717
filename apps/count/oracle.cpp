#include "apps/count/oracle.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "apps/common/byte_stream.hpp"

namespace far::apps::oracle {
namespace {

// The reverse complement of a k-mer.
std::string other_strand(const std::string& kmer) {
  std::string other(kmer.rbegin(), kmer.rend());
  for (char& c : other) c = c == 'A' ? 'T' : c == 'T' ? 'A' : c == 'C' ? 'G' : 'C';
  return other;
}

// The sequences of all records, in upper case, without line ends.
std::vector<std::string> records(std::string_view text) {
  std::vector<std::string> sequences(1);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with('>')) {
      sequences.emplace_back();
    } else if (!line.starts_with(';')) {
      for (char c : line) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        if (c != '\r') sequences.back() += c;
      }
    }
  }
  return sequences;
}

}  // namespace

std::string read_text(const std::string& path) {
  const std::unique_ptr<byte_stream> stream = open_stream(raw_file(path));
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    const std::size_t more = before + (std::size_t{1} << 20);
    text.resize(more);
    text.resize(before + stream->read(std::span(text).subspan(before)));
    if (text.size() < more) return text;
  }
}

void count_words(std::string_view text, counts<std::string>& into) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  std::size_t at = 0;
  while ((at = text.find_first_not_of(blanks, at)) != text.npos) {
    const std::size_t end = std::min(text.size(), text.find_first_of(blanks, at));
    ++into[std::string(text.substr(at, end - at))];
    at = end;
  }
}

void count_kmers(std::string_view text, int k, bool canonical, counts<std::string>& into) {
  const auto length = static_cast<std::size_t>(k);
  for (const std::string& sequence : records(text)) {
    for (std::size_t at = 0; at + length <= sequence.size(); ++at) {
      const std::string window = sequence.substr(at, length);
      if (window.find_first_not_of("ACGT") != window.npos) continue;
      ++into[canonical ? std::min(window, other_strand(window)) : window];
    }
  }
}

std::vector<counted_item> top(const counts<std::string>& counted, std::size_t k) {
  std::vector<counted_item> items;
  for (const auto& [item, count] : counted) items.push_back({item, count});
  std::sort(items.begin(), items.end(), [](const counted_item& a, const counted_item& b) {
    return a.count != b.count ? a.count > b.count : a.item < b.item;
  });
  items.resize(std::min(k, items.size()));
  return items;
}

std::uint64_t total(const counts<std::string>& counted) {
  std::uint64_t sum = 0;
  for (const auto& [item, count] : counted) sum += count;
  return sum;
}

}  // namespace far::apps::oracle
