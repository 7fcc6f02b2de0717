#pragma once
// A sequential and simple reference: `--verify` and the tests compare the distributed counts with
// it. It shares no code with them except the unpacking of files.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace far::apps::oracle {

/// Returns a file's whole text, unpacked. Errors: input_error.
[[nodiscard]] std::string read_text(const std::string& path);

template <class Item>
using counts = std::unordered_map<Item, std::uint64_t>;

/// Adds the words of `text`.
void count_words(std::string_view text, counts<std::string>& into);

/// Adds the k-mers of the FASTA `text`, as text in upper case.
void count_kmers(std::string_view text, int k, bool canonical, counts<std::string>& into);

struct counted_item {
  std::string item;
  std::uint64_t count = 0;

  friend bool operator==(const counted_item&, const counted_item&) = default;
};

/// The k most frequent items; items with equal counts are in byte order.
[[nodiscard]] std::vector<counted_item> top(const counts<std::string>& counted, std::size_t k);

/// Sum of all counts.
[[nodiscard]] std::uint64_t total(const counts<std::string>& counted);

}  // namespace far::apps::oracle
