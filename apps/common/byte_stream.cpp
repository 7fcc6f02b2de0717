#include "apps/common/byte_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

constexpr std::size_t buffer_bytes = 64 * 1024;

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

class plain_stream : public byte_stream {
 public:
  using byte_stream::byte_stream;

  std::size_t read(std::span<char> into) override { return input_.read(into); }
};

}  // namespace

packing detect_packing(std::string_view head, const std::string& path) {
  if (head.starts_with("\x1f\x8b"sv)) return packing::gzip;
  if (head.starts_with("\xfd\x37zXZ\0"sv)) return packing::xz;
  const auto refuse = [&](const char* name, const char* unpacker) {
    throw input_error(path, fmt::format("is packed with {}, which is not read; unpack it with {}, "
                                        "or repack it with gzip or xz",
                                        name, unpacker));
  };
  if (is_bzip2(head)) refuse("bzip2", "bunzip2");
  for (const auto& [magic, name, unpacker] : foreign_packings) {
    if (head.starts_with(magic)) refuse(name, unpacker);
  }
  return packing::plain;
}

raw_input::raw_input(raw_file file) : file_(std::move(file)), buffer_(buffer_bytes) {}

std::string_view raw_input::peek() { return peek_at_least(1); }

std::string_view raw_input::peek_at_least(std::size_t bytes) {
  if (end_ - begin_ < bytes) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
    end_ += file_.read(std::span(buffer_).subspan(end_));
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

std::size_t raw_input::read(std::span<char> into) {
  const std::size_t at_hand = std::min(into.size(), end_ - begin_);
  std::memcpy(into.data(), buffer_.data() + begin_, at_hand);
  begin_ += at_hand;
  const std::size_t got =
      at_hand == into.size() ? at_hand : at_hand + file_.read(into.subspan(at_hand));
  consumed_ += got;
  return got;
}

void byte_stream::fail_truncated(const char* kind) const {
  throw input_error(input_.file().path(),
                    fmt::format("{} data ends too early, after {} bytes; the file is incomplete, "
                                "so copy or make it again",
                                kind, input_.consumed()));
}

void byte_stream::fail_damaged(const char* kind, std::string_view how) const {
  throw input_error(input_.file().path(),
                    fmt::format("{} data is damaged near byte {}: {}; copy or make the file again",
                                kind, input_.consumed(), how));
}

std::unique_ptr<byte_stream> open_stream(raw_file file) {
  raw_input input(std::move(file));
  const packing kind = detect_packing(input.peek_at_least(packing_head_bytes), input.file().path());
  switch (kind) {
    case packing::gzip:
      return make_gzip_stream(std::move(input));
    case packing::xz:
      return make_xz_stream(std::move(input));
    case packing::plain:
      break;
  }
  return std::make_unique<plain_stream>(std::move(input));
}

}  // namespace far::apps
