#include "far/object/heap/marker.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "far/object/part.hpp"

namespace far::objects {
namespace {

[[nodiscard]] std::uint64_t bytes_of_bitmap(const part& of) {
  return words_of_bitmap(of.heap.bytes()) * sizeof(std::uint64_t);
}

[[nodiscard]] bool is_set(const reserved_memory& bitmap, std::uint64_t offset) noexcept {
  return test_bit(reinterpret_cast<const std::uint64_t*>(bitmap.start()), offset);
}

/// Returns whether it was not set.
bool set_new_bit(const reserved_memory& bitmap, std::uint64_t offset) noexcept {
  const std::uint64_t n = offset / granule;
  std::uint64_t& word = reinterpret_cast<std::uint64_t*>(bitmap.start())[n / 64];
  const std::uint64_t bit = std::uint64_t{1} << (n % 64);
  return (std::exchange(word, word | bit) & bit) == 0;
}

}  // namespace

marker::marker(const part& of)
    : part_(&of), reached_(bytes_of_bitmap(of)), passed_on_(static_cast<std::size_t>(of.size)) {}

void marker::reach(place at) {
  if (at.is_null() || at.space() != part_->space() || at.rank() >= part_->size ||
      at.offset() >= part_->heap.bytes()) {
    return;
  }
  if (at.rank() == part_->rank) return reach_own(at.offset());
  reserved_memory& passed_on = passed_on_[static_cast<std::size_t>(at.rank())];
  if (passed_on.start() == nullptr) passed_on = reserved_memory(bytes_of_bitmap(*part_));
  if (set_new_bit(passed_on, at.offset())) foreign_.push_back(at.bits());
}

void marker::reach_own(std::uint64_t offset) {
  if (is_set(reached_, offset) || !part_->heap.is_region(offset)) return;
  (void)set_new_bit(reached_, offset);
  to_visit_.push_back(offset);
}

const marker::layout& marker::layout_of(const type_descriptor& type) {
  const auto [at, added] = layouts_.try_emplace(type.id());
  if (added) {
    at->second.size = type.size();
    for (const cell& c : type.cells()) {
      if (c.is_reference) at->second.references.push_back(c.offset);
    }
  }
  return at->second;
}

const marker::layout& marker::layout_of(std::uint32_t type) {
  if (type != last_type_) {
    last_layout_ = &layout_of(*part_->types.at(type));
    last_type_ = type;
  }
  return *last_layout_;
}

void marker::reach_all(const std::byte* data, const type_descriptor& type, std::uint64_t count) {
  reach_all(data, layout_of(type), count);
}

void marker::reach_all(const std::byte* data, const layout& of, std::uint64_t count) {
  if (of.references.empty()) return;
  for (; count > 0; --count, data += of.size) {
    for (const std::uint32_t offset : of.references) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, data + offset, sizeof(bits));
      if (bits != 0) reach(place(bits));
    }
  }
}

void marker::visit_region(std::uint64_t offset) {
  const std::byte* const data = part_->heap.data_at(offset);
  const region_header header = header_of_region(data);
  if (header.total() > header.length) {  // a large array: all of its pieces or none
    if (header.piece() > 0) {
      reach_own(offset - header.piece() * block_bytes);
    } else {
      for (std::uint64_t piece = 1; piece * header.length < header.total(); ++piece) {
        reach_own(offset + piece * block_bytes);
      }
    }
  }
  reach_all(data, layout_of(header.type), header.length);
}

bool marker::visit(std::size_t most) {
  constexpr std::size_t ahead = 16;
  for (; most > 0 && visited_ < to_visit_.size(); --most) {
    const std::size_t soon = visited_ + ahead;
    if (soon < to_visit_.size()) {
      __builtin_prefetch(part_->heap.data_at(to_visit_[soon]) - sizeof(region_header));
    }
    visit_region(to_visit_[visited_++]);
  }
  if (visited_ > to_visit_.size() / 2) {
    to_visit_.erase(to_visit_.begin(), to_visit_.begin() + static_cast<std::ptrdiff_t>(visited_));
    visited_ = 0;
  }
  return !to_visit_.empty();
}

bool marker::take_foreign(std::size_t most, std::vector<std::uint64_t>& to) {
  const std::size_t count = std::min(most, foreign_.size());
  to.insert(to.end(), foreign_.end() - static_cast<std::ptrdiff_t>(count), foreign_.end());
  foreign_.resize(foreign_.size() - count);
  return !foreign_.empty();
}

}  // namespace far::objects
