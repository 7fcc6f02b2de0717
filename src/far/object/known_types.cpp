#include "far/object/known_types.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/homes/message.hpp"

namespace far::objects {
namespace {

/// A description: this, the cells, the name.
struct description_header {
  std::uint32_t size;
  std::uint32_t cells;
};

/// As a cell travels.
struct described_cell {
  std::uint32_t offset;
  std::uint16_t width;
  std::uint16_t is_reference;
};

}  // namespace

described_type::described_type(std::string name, std::size_t size, std::vector<cell> cells)
    : name_(std::move(name)), type_(name_, size, sizeof(std::uint64_t), std::move(cells)) {}

std::vector<std::byte> description_of(const type_descriptor& type) {
  const description_header header{type.size(), static_cast<std::uint32_t>(type.cells().size())};
  std::vector<std::byte> bytes;
  const auto append = [&](const void* from, std::size_t count) {
    const auto* const first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + count);
  };
  append(&header, sizeof(header));
  for (const cell& c : type.cells()) {
    const described_cell sent{c.offset, c.width, static_cast<std::uint16_t>(c.is_reference)};
    append(&sent, sizeof(sent));
  }
  append(type.name().data(), type.name().size());
  return bytes;
}

std::unique_ptr<described_type> parse_description(std::span<const std::byte> bytes) {
  constexpr const char* what = "a type's description is cut off";
  description_header header;
  if (bytes.size() < sizeof(header)) homes::throw_malformed(what);
  std::memcpy(&header, bytes.data(), sizeof(header));
  bytes = bytes.subspan(sizeof(header));
  if (bytes.size() / sizeof(described_cell) < header.cells) homes::throw_malformed(what);
  std::vector<cell> cells;
  cells.reserve(header.cells);
  for (std::uint32_t i = 0; i < header.cells; ++i) {
    described_cell sent;
    std::memcpy(&sent, bytes.data(), sizeof(sent));
    bytes = bytes.subspan(sizeof(sent));
    cells.push_back({sent.offset, static_cast<std::uint8_t>(sent.width), sent.is_reference != 0});
  }
  std::string name(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::make_unique<described_type>(std::move(name), header.size, std::move(cells));
}

const type_descriptor* known_types::find(std::uint32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

void known_types::add(const type_descriptor& type) {
  const auto [at, added] = by_id_.emplace(type.id(), &type);
  if (added || at->second->name() == type.name()) return;
  throw bad_argument(fmt::format("object_space: the types {} and {} have equal hashes",
                                 type.readable_name(), at->second->readable_name()));
}

const type_descriptor& known_types::add(std::unique_ptr<described_type> type) {
  add(type->descriptor());
  const type_descriptor* const known = by_id_.at(type->descriptor().id());
  if (known == &type->descriptor()) described_.push_back(std::move(type));
  return *known;
}

}  // namespace far::objects
