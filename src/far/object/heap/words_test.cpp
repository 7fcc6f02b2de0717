#include "far/object/heap/words.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#include "far/object/object_test.hpp"

namespace {

using far::objects::descriptor_of;
using far::objects::difference;
using far::test::record;

std::byte* bytes_of(record& r) { return reinterpret_cast<std::byte*>(&r); }

TEST(object_words_test, words_move_whole) {
  alignas(8) std::array<std::byte, 64> from{};
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i + 1);
  for (std::size_t begin = 0; begin < 9; ++begin) {
    for (std::size_t n = 0; n + begin <= 40; ++n) {
      alignas(8) std::array<std::byte, 64> to{};
      far::objects::store_words(to.data() + begin, from.data() + 3, n);
      EXPECT_EQ(std::memcmp(to.data() + begin, from.data() + 3, n), 0);
      EXPECT_EQ(to[begin + n], std::byte{0});
      std::array<std::byte, 64> back{};
      far::objects::load_words(back.data() + 1, to.data() + begin, n);
      EXPECT_EQ(std::memcmp(back.data() + 1, from.data() + 3, n), 0);
      EXPECT_EQ(back[1 + n], std::byte{0});
    }
  }
}

TEST(object_words_test, types_without_fields_stay_as_they_are) {
  const far::objects::type_descriptor nothing("nothing", 8, 8, {});
  std::array<std::byte, 16> own{};
  std::array<std::byte, 16> twin{};
  std::array<std::byte, 16> fetched{};
  fetched.fill(std::byte{1});
  far::objects::merge_elements(own.data(), twin.data(), fetched.data(), nothing, 2);
  EXPECT_EQ(own, twin);
  EXPECT_EQ(difference(fetched.data(), twin.data(), nothing, 2).next().width, 0);
}

TEST(object_words_test, differences_are_fields) {
  record twin{1, 2, 3, 4, 5};
  record now = twin;
  now.b = 9;
  now.e = 6;
  difference changes(bytes_of(now), bytes_of(twin), descriptor_of<record>(), 1);
  const auto first = changes.next();
  EXPECT_EQ(first.offset, offsetof(record, b));
  EXPECT_EQ(first.width, 1u);
  EXPECT_EQ(first.value[0], std::byte{9});
  const auto second = changes.next();
  EXPECT_EQ(second.offset, offsetof(record, e));
  EXPECT_EQ(second.width, 8u);
  EXPECT_EQ(changes.next().width, 0u);
  EXPECT_EQ(twin.b, 9);
}

TEST(object_words_test, merging_keeps_local_changes) {
  record twin{1, 2, 3, 4, 5};
  record copy = twin;
  copy.a = 10;  // here
  record fetched = twin;
  fetched.c = 30;  // elsewhere
  far::objects::merge_elements(bytes_of(copy), bytes_of(twin), bytes_of(fetched),
                               descriptor_of<record>(), 1);
  EXPECT_EQ(copy.a, 10u);
  EXPECT_EQ(copy.c, 30u);
  difference changes(bytes_of(copy), bytes_of(twin), descriptor_of<record>(), 1);
  EXPECT_EQ(changes.next().offset, offsetof(record, a));
  EXPECT_EQ(changes.next().width, 0u);
}

}  // namespace
