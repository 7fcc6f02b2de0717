#include "far/rpc/serialize.hpp"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"

namespace {

using far::wire::from_bytes;
using far::wire::to_bytes;

struct point {
  int x;
  double y;
  bool operator==(const point&) const = default;
};

enum class colour : std::uint8_t { red, green };

struct person {
  std::string name;
  std::vector<std::string> friends;
  bool active = false;
  std::optional<point> home;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, friends, active, home);
  }
  bool operator==(const person&) const = default;
};

struct no_default {
  explicit no_default(int v) : value(v) {}
  int value;
  bool operator==(const no_default&) const = default;
};

template <class T>
void expect_round_trip(const T& value) {
  const std::vector<std::byte> bytes = to_bytes(value);
  EXPECT_EQ(from_bytes<T>(bytes), value);
  if (far::wire::fixed_bytes<T>() != 0) {
    EXPECT_EQ(bytes.size(), far::wire::fixed_bytes<T>());
  }
}

TEST(Serialize, RoundTrips) {
  expect_round_trip(42);
  expect_round_trip(-1.5);
  expect_round_trip(true);
  expect_round_trip(colour::green);
  expect_round_trip(point{1, 2.5});
  expect_round_trip(no_default(3));
  expect_round_trip(std::string());
  expect_round_trip(std::string("with a \0 inside", 15));
  expect_round_trip(std::string(100000, 'x'));
  expect_round_trip(std::u16string(u"wide"));
  expect_round_trip(std::vector<int>());
  expect_round_trip(std::vector<int>{1, 2, 3});
  expect_round_trip(std::vector<bool>{true, false, true});
  expect_round_trip(std::vector<no_default>{no_default(1), no_default(2)});
  expect_round_trip(std::vector<std::pair<int, int>>{{1, 2}, {3, 4}});
  expect_round_trip(std::vector<std::vector<std::string>>{{}, {"a"}, {"b", "cc"}});
  expect_round_trip(std::pair(1, std::string("one")));
  expect_round_trip(std::pair(1, true));
  expect_round_trip(std::tuple<>());
  expect_round_trip(std::tuple(1, 2.0, std::string("three"), colour::red));
  expect_round_trip(std::array<int, 3>{1, 2, 3});
  expect_round_trip(std::array<std::string, 2>{"a", "b"});
  expect_round_trip(std::optional<int>());
  expect_round_trip(std::optional<std::string>("here"));
  expect_round_trip(std::map<std::string, int>{{"a", 1}, {"b", 2}});
  expect_round_trip(std::multimap<int, int>{{1, 1}, {1, 2}});
  expect_round_trip(std::unordered_map<int, std::vector<int>>{{1, {}}, {2, {3, 4}}});
  expect_round_trip(std::set<int>{1, 2, 3});
  expect_round_trip(std::unordered_set<std::string>{"x", "y"});
  expect_round_trip(person{"Ada", {"Charles", ""}, true, point{3, 4}});
  expect_round_trip(std::vector<person>(3));
}

TEST(Serialize, IsCompact) {
  EXPECT_EQ(to_bytes(1, true, 'c').size(), 6u);
  EXPECT_EQ(to_bytes(std::string("abc")).size(), 4u);
  EXPECT_EQ(to_bytes(std::string(127, 'a')).size(), 128u);
  EXPECT_EQ(to_bytes(std::string(128, 'a')).size(), 130u);
  EXPECT_EQ(to_bytes(std::vector<std::pair<int, int>>(10)).size(), 81u);
  EXPECT_EQ(far::wire::fixed_bytes<std::string>(), 0u);
  EXPECT_EQ((far::wire::fixed_bytes<std::tuple<int, bool>>()), 5u);
  EXPECT_EQ((far::wire::fixed_bytes<std::tuple<int, std::string>>()), 0u);
}

TEST(Serialize, PointersDoNotTravel) {
  static_assert(!far::wire::flat<int*>);
  static_assert(!far::wire::flat<std::string_view>);
  static_assert(!far::wire::flat<std::span<int>>);
  static_assert(!far::wire::flat<std::pair<int, char*>>);
  static_assert(!far::wire::flat<std::array<const char*, 2>>);
  static_assert(!far::wire::flat<std::reference_wrapper<int>>);
}

TEST(Serialize, RefusesWhatItDidNotWrite) {
  using bytes = std::vector<std::byte>;
  EXPECT_THROW((void)from_bytes<int>(bytes(3)), far::fabric_error);
  EXPECT_THROW((void)from_bytes<int>(bytes(5)), far::fabric_error);  // one left over
  EXPECT_THROW((void)from_bytes<bool>(bytes{std::byte{2}}), far::fabric_error);
  EXPECT_THROW((void)from_bytes<std::string>(bytes{}), far::fabric_error);
  EXPECT_THROW((void)from_bytes<std::string>(bytes{std::byte{1}}), far::fabric_error);
  // Lengths that exceed any memory, that overflow when multiplied, or that never end.
  for (const std::uint64_t length : {std::uint64_t{1} << 40, std::uint64_t{1} << 61,
                                     (std::uint64_t{1} << 61) + 1, ~std::uint64_t{0}}) {
    bytes message(10);
    far::wire::writer writer(message.data());
    far::wire::put_length(writer, length);
    EXPECT_THROW((void)from_bytes<std::vector<double>>(message), far::fabric_error);
    EXPECT_THROW((void)from_bytes<std::vector<std::string>>(message), far::fabric_error);
    EXPECT_THROW((void)from_bytes<std::vector<bool>>(message), far::fabric_error);
    EXPECT_THROW((void)from_bytes<std::set<int>>(message), far::fabric_error);
  }
  EXPECT_THROW((void)from_bytes<std::string>(bytes(100, std::byte{0xff})), far::fabric_error);
}

using everything =
    std::tuple<int, std::string, std::vector<person>, std::map<std::string, std::vector<int>>,
               std::optional<std::pair<bool, std::string>>, std::vector<std::vector<bool>>,
               std::unordered_map<int, std::set<std::string>>>;

everything sample() {
  return {7,
          "text",
          {person{"Ada", {"Charles", "Mary"}, true, point{1, 2}}, person{}},
          {{"a", {1, 2, 3}}, {"b", {}}},
          std::pair(true, std::string("in")),
          {{true, false}, {}},
          {{1, {"x", "y"}}, {2, {}}}};
}

TEST(Serialize, TruncatedMessagesThrow) {
  const std::vector<std::byte> whole = to_bytes(sample());
  ASSERT_EQ(from_bytes<everything>(whole), sample());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // A copy of its own, so that AddressSanitizer sees a read past the end.
    const std::vector<std::byte> part(whole.begin(),
                                      whole.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW((void)from_bytes<everything>(part), far::fabric_error) << length;
  }
}

TEST(Serialize, DamagedMessagesThrowOrGiveAnotherValue) {
  const std::vector<std::byte> whole = to_bytes(sample());
  far::base::random random(7);
  int refused = 0;
  const auto try_to_read = [&](const std::vector<std::byte>& message) {
    try {
      (void)from_bytes<everything>(message);
    } catch (const far::fabric_error&) {
      ++refused;
    }
  };
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::vector<std::byte> message = whole;
    message[bit / 8] ^= std::byte{1} << (bit % 8);
    try_to_read(message);
  }
  EXPECT_GT(refused, 0);
  for (int round = 0; round < 50000; ++round) {
    std::vector<std::byte> message = whole;
    for (std::uint64_t flips = 1 + random.below(8); flips > 0; --flips) {
      message[random.below(message.size())] = static_cast<std::byte>(random());
    }
    message.resize(random.below(message.size() + 1));
    try_to_read(message);
  }
  for (int round = 0; round < 50000; ++round) {
    std::vector<std::byte> message(random.below(64));
    for (std::byte& byte : message) byte = static_cast<std::byte>(random());
    try_to_read(message);
  }
}

}  // namespace
