#pragma once
// The types that a rank knows, by id. Those of C++ are descriptors that live as long as the
// process. Those that are described at run time, by a binding or by another rank, own their names.
//
// Threads: under part::mutex.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "far/object/type.hpp"

namespace far::objects {

/// A type that is described at run time.
class described_type {
 public:
  /// Errors: as type_descriptor.
  described_type(std::string name, std::size_t size, std::vector<cell> cells);
  described_type(const described_type&) = delete;
  described_type& operator=(const described_type&) = delete;

  [[nodiscard]] const type_descriptor& descriptor() const noexcept { return type_; }

 private:
  std::string name_;
  type_descriptor type_;  // views the name
};

/// What describes a type to other ranks, and the reverse.
[[nodiscard]] std::vector<std::byte> description_of(const type_descriptor& type);
/// Errors: fabric_error for bytes that are no description; as type_descriptor.
[[nodiscard]] std::unique_ptr<described_type> parse_description(std::span<const std::byte> bytes);

class known_types {
 public:
  using table = std::unordered_map<std::uint32_t, const type_descriptor*>;

  /// Throws std::out_of_range for a type that is not known.
  [[nodiscard]] const type_descriptor* at(std::uint32_t id) const { return by_id_.at(id); }
  /// Null: not known.
  [[nodiscard]] const type_descriptor* find(std::uint32_t id) const;
  [[nodiscard]] const table& by_id() const noexcept { return by_id_; }
  /// No-op if it is known. Errors: bad_argument for types of equal hashes.
  void add(const type_descriptor& type);
  /// The type of that id, which is the described one unless another thread has come before.
  const type_descriptor& add(std::unique_ptr<described_type> type);

 private:
  table by_id_;
  std::vector<std::unique_ptr<described_type>> described_;
};

}  // namespace far::objects
