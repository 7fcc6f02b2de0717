#include "apps/common/file_head.hpp"

#include <algorithm>
#include <charconv>

#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

using namespace std::string_view_literals;

struct foreign_packing {
  std::string_view magic;
  const char* name;
  const char* unpacker;
};

constexpr foreign_packing foreign_packings[] = {
    {"\x28\xb5\x2f\xfd"sv, "zstd", "unzstd"}, {"PK\x03\x04"sv, "zip", "unzip"},
    {"\x04\x22\x4d\x18"sv, "lz4", "unlz4"},   {"\x1f\x9d"sv, "compress (.Z)", "uncompress"},
    {"7z\xbc\xaf\x27\x1c"sv, "7z", "7z x"},
};

bool is_bzip2(std::string_view head) {
  // "BZh" alone could start a word; the block magic after the level digit cannot.
  return head.size() >= 10 && head.starts_with("BZh") &&
         head.substr(4, 6) == "\x31\x41\x59\x26\x53\x59"sv;
}

// Every header of a tar archive holds the sum of its 512 bytes in octal digits; the 8 bytes of the
// sum itself count as blanks (POSIX.1-1988, ustar). Older formats have no magic, only the sum.
bool is_tar(std::string_view head) {
  constexpr std::size_t header_bytes = 512, sum_at = 148, sum_bytes = 8;
  if (head.size() < header_bytes) return false;
  std::string_view digits = head.substr(sum_at, sum_bytes);
  digits.remove_prefix(std::min(digits.size(), digits.find_first_not_of(' ')));
  unsigned promised = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), promised, 8).ec != std::errc())
    return false;
  unsigned sum = sum_bytes * ' ';
  for (std::size_t i = 0; i < header_bytes; ++i) {
    if (i < sum_at || i >= sum_at + sum_bytes) sum += static_cast<unsigned char>(head[i]);
  }
  return sum == promised;
}

}  // namespace

packing detect_packing(std::string_view head, const std::string& path) {
  if (head.starts_with("\x1f\x8b"sv)) return packing::gzip;
  // A file that ends within the magic is truncated; a single byte is not enough to decide.
  if (head.starts_with(xz_magic) || (head.size() > 1 && xz_magic.starts_with(head))) {
    return packing::xz;
  }
  const auto refuse = [&](const char* name, const char* unpacker) {
    throw input_error(path, fmt::format("is packed with {}, which is not read; unpack it with {}, "
                                        "or repack it with gzip or xz",
                                        name, unpacker));
  };
  if (is_bzip2(head)) refuse("bzip2", "bunzip2");
  for (const auto& [magic, name, unpacker] : foreign_packings) {
    if (head.starts_with(magic)) refuse(name, unpacker);
  }
  if (is_tar(head)) {
    throw input_error(path,
                      "is a tar archive, which is not read; unpack it with tar xf, and give a file "
                      "that was in it");
  }
  if (head.starts_with("\xff\xfe"sv) || head.starts_with("\xfe\xff"sv)) {
    throw input_error(path,
                      "starts with the byte order mark of UTF-16, which is not read; convert "
                      "it with iconv -f UTF-16 -t UTF-8");
  }
  return packing::plain;
}

std::size_t byte_order_mark_bytes(std::string_view head) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return head.starts_with(mark) ? mark.size() : 0;
}

}  // namespace far::apps
