#include "apps/graph/serialized.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "apps/common/file_head.hpp"
#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

static_assert(std::endian::native == std::endian::little, "the format's byte order");

template <class... Values>
[[noreturn]] void fail(const raw_file& file, fmt::format_string<Values...> what,
                       Values&&... values) {
  throw input_error(file.path(), fmt::format(what, std::forward<Values>(values)...));
}

void check_packing(const raw_file& file, std::string_view head) {
  if (detect_packing(head, file.path()) != packing::plain) {
    fail(file, "is packed, but ranks read a serialized graph from the middle; unpack it");
  }
}

/// Whether the file has as many bytes as the head promises. Numbers of the head may be anything.
bool fits(const serialized_layout& layout, std::uint64_t bytes) {
  if (layout.vertices >= bytes / 8 || layout.arcs > bytes / layout.entry_bytes()) return false;
  return layout.file_bytes() == bytes;
}

}  // namespace

serialized_layout read_layout(const raw_file& file, bool weighted) {
  if (!file.ends_at_size()) {
    fail(file, "cannot be read from the middle, as a serialized graph is; give a plain file");
  }
  std::array<char, file_head_bytes> bytes = {};
  const std::size_t got = file.read_at(0, bytes);
  check_packing(file, {bytes.data(), got});
  if (got < serialized_layout::head_bytes) {
    fail(file, "has {} bytes, less than the {} of the head; copy or make the file again", got,
         serialized_layout::head_bytes);
  }
  std::int64_t numbers[2] = {};
  std::memcpy(numbers, &bytes[1], sizeof numbers);
  const auto [arcs, vertices] = numbers;
  if (bytes[0] != 0 && bytes[0] != 1) {
    fail(file, "begins with {}, where a serialized graph has 0 or 1; is it one?",
         quoted_byte(bytes[0]));
  }
  if (arcs < 0 || vertices < 0) {
    fail(file, "the header promises {} vertices and {} arcs; copy or make the file again", vertices,
         arcs);
  }
  serialized_layout layout{bytes[0] == 1, weighted, static_cast<std::uint64_t>(arcs),
                           static_cast<std::uint64_t>(vertices)};
  if (layout.vertices > serialized_layout::max_vertices) {
    fail(file,
         "the header promises {} vertices, but the format has at most {}; make the file again",
         vertices, serialized_layout::max_vertices);
  }
  if (fits(layout, file.size())) return layout;
  serialized_layout other = layout;
  other.weighted = !weighted;
  if (fits(other, file.size())) {
    fail(file, "has the size of a graph {0} weights; give it the ending {1}, or --format {1}",
         weighted ? "without" : "with", weighted ? "sg" : "wsg");
  }
  if (layout.arcs > file.size()) {
    fail(file, "the header promises {} arcs, but the file has only {} bytes; copy or make it again",
         arcs, file.size());
  }
  fail(
      file,
      "the header promises {} vertices and {} arcs, which take {} bytes, but the file has {}; copy "
      "or make it again",
      vertices, arcs, layout.file_bytes(), file.size());
}

void read_numbers(const raw_file& file, std::uint64_t offset, std::uint64_t count,
                  std::uint64_t* into) {
  const std::span<char> bytes(reinterpret_cast<char*>(into), count * 8);
  if (file.read_at(offset, bytes) != bytes.size()) {
    fail(file, "became shorter while it was read; try again once it is complete");
  }
}

}  // namespace far::apps
