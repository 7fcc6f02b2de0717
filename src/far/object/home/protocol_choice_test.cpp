// What a home concludes from what it observes.

#include "far/object/home/protocol_choice.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace {

using far::object_protocol;
using far::objects::cost_of_update;
using far::objects::protocol_choice;
using far::objects::type_habit;

constexpr std::size_t bytes = 72;

/// A region whose home is rank 0, and the ranks that use it.
class region {
 public:
  region(int ranks, type_habit& type) : choice(object_protocol::automatic, type) {
    for (int rank = 1; rank < ranks; ++rank) choice.fetched(rank, bytes);
    has_read_.assign(static_cast<std::size_t>(ranks), true);
  }

  void read(int rank) {
    if (rank == 0) return;
    if (!choice.updates()) choice.fetched(rank, bytes);
    has_read_[static_cast<std::size_t>(rank)] = true;
  }

  /// Together with others, `regions` in all.
  void change(int writer, std::size_t regions) {
    choice.changed(writer, bytes, regions);
    if (!choice.updates()) return;
    for (std::size_t rank = 1; rank < has_read_.size(); ++rank) {
      if (static_cast<int>(rank) == writer) continue;
      choice.updated(static_cast<int>(rank), cost_of_update(bytes, regions), has_read_[rank]);
      has_read_[rank] = false;
    }
  }

  /// Each rank in turn reads it and changes it.
  void take_turns(int rounds, std::size_t regions) {
    for (int round = 0; round < rounds; ++round) {
      for (int rank = 0; rank < static_cast<int>(has_read_.size()); ++rank) {
        read(rank);
        change(rank, regions);
      }
    }
  }

  /// The home changes it, and all others read it.
  void broadcast(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      change(0, 1);
      for (int rank = 1; rank < static_cast<int>(has_read_.size()); ++rank) read(rank);
    }
  }

  protocol_choice choice;

 private:
  std::vector<bool> has_read_;  ///< since it was updated last
};

TEST(protocol_choice_test, who_reads_each_change_is_updated) {
  type_habit type;
  region shared(8, type);
  for (int i = 0; i < 100; ++i) {
    shared.broadcast(1);
    EXPECT_TRUE(shared.choice.updates()) << i;
  }
  EXPECT_EQ(shared.choice.sent(), 700u);
  EXPECT_GE(shared.choice.read(), 680u);
}

TEST(protocol_choice_test, taking_turns_is_for_few) {
  for (const int ranks : {2, 8}) {
    type_habit type;
    region counter(ranks, type);
    counter.take_turns(2, 1);
    EXPECT_EQ(counter.choice.updates(), ranks == 2) << ranks;
    counter.take_turns(100, 1);
    EXPECT_EQ(counter.choice.updates(), ranks == 2) << ranks;
  }
}

TEST(protocol_choice_test, shared_messages_are_cheap) {
  type_habit type;
  region molecule(8, type);
  molecule.take_turns(100, 32);
  EXPECT_TRUE(molecule.choice.updates());
}

TEST(protocol_choice_test, regions_begin_as_their_type_has_ended) {
  type_habit type;
  for (int i = 0; i < 10; ++i) {
    region unread(2, type);
    for (int change = 0; change < 10; ++change) unread.change(0, 1);
  }
  region next(2, type);
  EXPECT_FALSE(next.choice.updates());
  EXPECT_FALSE(next.choice.is_judged());
  next.change(0, 1);
  EXPECT_FALSE(next.choice.updates());
}

TEST(protocol_choice_test, habits_change) {
  type_habit type;
  region shared(4, type);
  for (int change = 0; change < 10; ++change) shared.change(0, 1);
  EXPECT_FALSE(shared.choice.updates());
  // Who reads twice is fetched for twice, and would be updated once.
  for (int round = 0; round < 10; ++round) {
    shared.broadcast(1);
    for (int rank = 1; rank < 4; ++rank) shared.read(rank);
  }
  EXPECT_TRUE(shared.choice.updates());
}

TEST(protocol_choice_test, a_choice_is_obeyed) {
  type_habit type;
  region shared(2, type);
  shared.choice.choose(object_protocol::invalidate);
  shared.broadcast(100);
  EXPECT_FALSE(shared.choice.updates());
  shared.choice.choose(object_protocol::update);
  EXPECT_TRUE(shared.choice.updates());
  EXPECT_FALSE(shared.choice.in_place());
  shared.choice.choose(object_protocol::update_in_place);
  EXPECT_TRUE(shared.choice.updates());
  EXPECT_TRUE(shared.choice.in_place());
}

TEST(protocol_choice_test, few_updates_in_place_are_answered_and_none_counts) {
  type_habit type;
  region shared(3, type);
  shared.broadcast(5);
  const auto sent = shared.choice.sent();
  const auto read = shared.choice.read();
  shared.choice.choose(object_protocol::update_in_place);
  for (int change = 0; change < 50; ++change) shared.change(0, 1);  // nobody reads
  EXPECT_EQ(shared.choice.sent(), sent);
  EXPECT_EQ(shared.choice.read(), read);
  shared.choice.choose(object_protocol::automatic);
  EXPECT_TRUE(shared.choice.updates());
}

}  // namespace
