#pragma once
// What the tests of shared objects share.

#include <cstdint>

#include "far/object/object_space.hpp"

namespace far::test {

/// Fields of all widths, with padding between.
struct record {
  std::uint64_t a = 0;
  std::uint8_t b = 0;
  std::uint32_t c = 0;
  std::uint16_t d = 0;
  double e = 0;
};

struct node {
  std::uint64_t key = 0;
  ref<node> next;
};

/// Small, and with the protocol even where ranks share memory.
inline constexpr object_space_options small_space{
    .heap_bytes = 1 << 20, .cache_bytes = 1 << 20, .force_protocol = true};

}  // namespace far::test

template <>
struct far::object_type<far::test::record>
    : far::object_fields<far::test::record, &far::test::record::a, &far::test::record::b,
                         &far::test::record::c, &far::test::record::d, &far::test::record::e> {};
template <>
struct far::object_type<far::test::node>
    : far::object_fields<far::test::node, &far::test::node::key, &far::test::node::next> {};
