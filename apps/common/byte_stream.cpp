#include "apps/common/byte_stream.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "apps/common/input_error.hpp"

namespace far::apps {
namespace {

constexpr std::size_t buffer_bytes = 64 * 1024;

class plain_stream : public byte_stream {
 public:
  using byte_stream::byte_stream;

  std::size_t unpack(std::span<char> into) override { return input_.read(into); }
};

}  // namespace

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

std::size_t byte_stream::read(std::span<char> into) {
  if (!begun_) read_head();
  const std::size_t held = std::min(into.size(), head_.size() - head_used_);
  std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(head_used_), held, into.begin());
  head_used_ += held;
  return held + unpack(into.subspan(held));
}

void byte_stream::read_head() {
  begun_ = true;
  head_.resize(file_head_bytes);
  head_.resize(unpack(head_));
  const std::string_view head(head_.data(), head_.size());
  const std::string& path = input_.file().path();
  if (detect_packing(head, path) != packing::plain) {
    throw input_error(path, "holds data that is packed twice; unpack it once, and give the result");
  }
  head_used_ = byte_order_mark_bytes(head);
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
  const packing kind = detect_packing(input.peek_at_least(file_head_bytes), input.file().path());
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
