#include "apps/common/input_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

namespace far::apps {

input_plan plan_input(const std::string& path) {
  // Do not open the file to look: opening and closing a pipe terminates its writer.
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  if (type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character) {
    return {.kind = input_kind::stream};
  }
  return plan_input(raw_file(path));
}

input_plan plan_input(const raw_file& file) {
  if (!file.ends_at_size()) return {.kind = input_kind::stream};
  std::array<char, file_head_bytes> bytes = {};
  const std::string_view head(bytes.data(), file.read_at(0, bytes));
  if (detect_packing(head, file.path()) != packing::plain) {
    return {.kind = input_kind::packed_file, .bytes = file.size()};
  }
  return {.kind = input_kind::plain_file,
          .bytes = file.size(),
          .mark_bytes = static_cast<std::uint8_t>(byte_order_mark_bytes(head))};
}

input_file::input_file(std::string path, const input_plan& plan, file_part part,
                       input_settings settings)
    : path_(std::move(path)),
      plan_(plan),
      part_(part),
      settings_(std::move(settings)),
      buffer_(settings_.piece_bytes) {
  if (plan_.kind == input_kind::stream) {
    ended_ = part_.index != 0;
    if (!ended_) stream_ = open_stream(raw_file(path_));
    return;
  }
  raw_file file(path_);
  if (!file.regular() || file.size() != plan_.bytes) {
    throw input_error(path_, fmt::format("has {} bytes for one rank and {} for another; give the "
                                         "path of a file that all ranks see alike",
                                         plan_.bytes, file.size()));
  }
  if (plan_.kind == input_kind::packed_file) {
    stream_ = open_stream(std::move(file));
    return;
  }
  text_bytes_ = plan_.bytes - plan_.mark_bytes;
  range_ = contiguous_range(text_bytes_, part_);
  position_ = range_.begin - std::min<std::uint64_t>(range_.begin, settings_.lead_bytes);
  file_ = std::make_unique<raw_file>(std::move(file));
}

bool input_file::done() const { return file_ != nullptr ? position_ >= range_.end : ended_; }

bool input_file::next(input_piece& piece) {
  const bool more = file_ != nullptr ? next_in_file(piece) : next_in_stream(piece);
  if (settings_.on_progress) {
    if (file_ != nullptr) {
      const std::uint64_t position = std::clamp(position_, range_.begin, range_.end);
      settings_.on_progress(position - range_.begin, range_.size());
    } else if (stream_ != nullptr) {
      settings_.on_progress(stream_->consumed(), plan_.bytes);
    }
  }
  return more;
}

bool input_file::next_in_file(input_piece& piece) {
  if (position_ >= text_bytes_) return false;
  const bool owned = position_ >= range_.begin && position_ < range_.end;
  std::uint64_t end = text_bytes_;
  if (position_ < range_.end) end = owned ? range_.end : range_.begin;
  std::size_t wanted = buffer_.size();
  if (position_ >= range_.end) {
    wanted = std::min(wanted, tail_bytes_);
    tail_bytes_ *= 2;
  }
  wanted = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, end - position_));
  if (file_->read_at(plan_.mark_bytes + position_, std::span(buffer_).first(wanted)) != wanted) {
    throw input_error(path_, "became shorter while it was read; try again once it is complete");
  }
  piece = {.bytes = {buffer_.data(), wanted}, .offset = position_, .owned = owned};
  position_ += wanted;
  return true;
}

bool input_file::next_in_stream(input_piece& piece) {
  if (ended_) return false;
  const std::size_t got = stream_->read(buffer_);
  ended_ = got < buffer_.size();
  if (got == 0) return false;
  const bool owned = plan_.kind == input_kind::stream || owns_stripe(stripe_, part_);
  piece = {.bytes = {buffer_.data(), got}, .offset = position_, .owned = owned};
  position_ += got;
  ++stripe_;
  return true;
}

void line_counter::advance(std::string_view text) { next_ = at(text, text.size()); }

text_position line_counter::at(std::string_view text, std::size_t offset) const {
  const std::string_view passed = text.substr(0, offset);
  const auto lines = static_cast<std::uint64_t>(std::count(passed.begin(), passed.end(), '\n'));
  if (lines == 0) return {next_.line, next_.column + passed.size()};
  return {next_.line + lines, passed.size() - passed.rfind('\n')};
}

text_position locate(const std::string& path, std::uint64_t offset) {
  const std::unique_ptr<byte_stream> stream = open_stream(raw_file(path));
  std::vector<char> buffer(256 * 1024);
  line_counter lines;
  for (;;) {
    const std::size_t wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), offset));
    const std::size_t got = stream->read(std::span(buffer).first(wanted));
    lines.advance({buffer.data(), got});
    offset -= got;
    if (offset == 0 || got < wanted) return lines.at({}, 0);
  }
}

}  // namespace far::apps
