#include "apps/common/item_reader.hpp"

#include <cstring>
#include <utility>

namespace far::apps {
namespace {

// The byte before its range shows a part whether an item begins at its first byte.
input_settings with_lead(input_settings settings) {
  settings.lead_bytes = 1;
  return settings;
}

}  // namespace

item_reader::item_reader(std::string path, const input_plan& plan, file_part part,
                         separator between, std::size_t largest_item, input_settings settings)
    : file_(std::move(path), plan, part, with_lead(std::move(settings))),
      between_(between),
      largest_item_(largest_item),
      inside_item_(file_.begin() > 0) {}

bool item_reader::next(item_chunk& chunk) {
  if (file_.plan().kind == input_kind::stream) lines_.advance(last_.text);
  last_ = {};
  if (!item_is_ours_) carried_.clear();
  for (;;) {
    if (piece_.bytes.empty()) {
      if (file_.done() && !item_is_ours_) return false;
      if (!file_.next(piece_)) return end_of_file(chunk);
    }
    if (inside_item_ ? finish_begun_item(chunk) : whole_items(chunk)) return true;
  }
}

// Returns true if it hands out an item. Leaves piece_ empty or at the start of an item.
bool item_reader::finish_begun_item(item_chunk& chunk) {
  const std::size_t length = find_separator(piece_.bytes);
  const std::string_view rest = piece_.bytes.substr(0, length);
  if (item_is_ours_) carry(rest, piece_.offset);
  inside_item_ = !separates(rest.back());
  piece_.bytes.remove_prefix(length);
  piece_.offset += length;
  if (inside_item_ || !std::exchange(item_is_ours_, false)) return false;
  return hand_out(chunk, carried_, carried_offset_);
}

// Hands out the items that begin and end in piece_; carries over an item that only begins in it.
bool item_reader::whole_items(item_chunk& chunk) {
  const std::size_t length = after_last_separator(piece_.bytes);
  const input_piece whole = piece_;
  piece_.bytes = {};
  inside_item_ = length < whole.bytes.size();
  if (!whole.owned) return false;
  if (inside_item_) {
    item_is_ours_ = true;
    carried_.clear();
    carry(whole.bytes.substr(length), whole.offset + length);
  }
  return length > 0 && hand_out(chunk, whole.bytes.substr(0, length), whole.offset);
}

bool item_reader::end_of_file(item_chunk& chunk) {
  if (!std::exchange(item_is_ours_, false)) return false;
  inside_item_ = false;
  carried_.push_back('\n');
  return hand_out(chunk, carried_, carried_offset_);
}

void item_reader::carry(std::string_view text, std::uint64_t offset) {
  if (carried_.empty()) carried_offset_ = offset;
  carried_.append(text);
  if (carried_.size() > largest_item_) {
    last_ = {.text = carried_, .offset = carried_offset_};
    fail(carried_offset_,
         fmt::format("a {} of more than {} bytes; is this a text file?",
                     between_ == separator::newline ? "line" : "word", largest_item_));
  }
}

bool item_reader::hand_out(item_chunk& chunk, std::string_view text, std::uint64_t offset) {
  last_ = {.text = text, .offset = offset};
  chunk = last_;
  return true;
}

void item_reader::fail(std::uint64_t offset, std::string_view what) const {
  const text_position where =
      file_.plan().kind == input_kind::stream
          ? lines_.at(last_.text, static_cast<std::size_t>(offset - last_.offset))
          : locate(file_.path(), offset);
  throw input_error(file_.path(), where, offset, what);
}

// Bytes up to and including the first separator; all bytes if there is none.
std::size_t item_reader::find_separator(std::string_view text) const {
  std::size_t at = 0;
  if (between_ == separator::newline) {
    at = text.find('\n');
  } else {
    while (at < text.size() && !is_whitespace(text[at])) ++at;
  }
  return at < text.size() ? at + 1 : text.size();
}

std::size_t item_reader::after_last_separator(std::string_view text) const {
  std::size_t length = text.size();
  while (length > 0 && !separates(text[length - 1])) --length;
  return length;
}

}  // namespace far::apps
