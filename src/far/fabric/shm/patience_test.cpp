#include "far/fabric/shm/patience.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace {

using far::fabric::shm::computed_in_yield;
using far::fabric::shm::probe_ns;
using far::fabric::shm::spin_ns;
using far::fabric::shm::wait_record;

/// Lets spins fail, on a core that others use, until the record spins no more.
void give_up(wait_record& record) {
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(record.spin_allowance_ns(), spin_ns);
    record.spin_failed();
  }
}

/// Waits until one may spin, and how many may not.
int waits_until_probe(wait_record& record) {
  constexpr int many = 100'000;
  for (int waits = 0; waits < many; ++waits) {
    if (record.spin_allowance_ns() == probe_ns) return waits;
  }
  return many;
}

TEST(Patience, SpinsThatPayGoOn) {
  wait_record record;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(record.spin_allowance_ns(), spin_ns);
    if (i % 4 == 0) {
      record.spin_paid();
    } else {
      record.spin_failed();
    }
  }
}

TEST(Patience, SpinsThatFailWhileOthersWantTheCoreAreGivenUp) {
  wait_record record;
  give_up(record);
  EXPECT_EQ(record.spin_allowance_ns(), 0u);
}

TEST(Patience, ProbesBecomeRare) {
  wait_record record;
  give_up(record);
  int before = waits_until_probe(record);
  EXPECT_EQ(before, 1);
  for (int probe = 0; probe < 20; ++probe) {
    record.spin_failed();
    const int waits = waits_until_probe(record);
    EXPECT_EQ(waits, std::min(2 * before, 1024));
    before = waits;
  }
}

TEST(Patience, AProbeThatPaysBringsSpinningBack) {
  wait_record record;
  give_up(record);
  EXPECT_EQ(waits_until_probe(record), 1);
  record.spin_paid();
  give_up(record);
}

TEST(Patience, LongYieldsTakeAHundredthOfTheTime) {
  wait_record record;
  EXPECT_TRUE(record.may_yield(0));
  constexpr std::uint64_t slice_ns = 3'000'000;
  std::uint64_t yielded_ns = 0;
  std::uint64_t now_ns = 0;
  while (now_ns < 10'000'000'000) {
    if (record.may_yield(now_ns)) {
      now_ns += slice_ns;
      yielded_ns += slice_ns;
      record.long_yield(slice_ns, now_ns);
    }
    now_ns += 10'000;
  }
  EXPECT_GT(yielded_ns, now_ns / 200);
  EXPECT_LE(yielded_ns, now_ns / 100 + slice_ns);
}

TEST(Patience, WhatRanksOfTheJobComputeIsNoProgramOfOthers) {
  constexpr std::uint64_t begin_ns = 7'000'000;
  EXPECT_TRUE(computed_in_yield(false, 0, begin_ns));
  EXPECT_TRUE(computed_in_yield(true, begin_ns + 2'000'000, begin_ns));
  EXPECT_FALSE(computed_in_yield(true, begin_ns + 20'000, begin_ns));
  EXPECT_FALSE(computed_in_yield(true, begin_ns - 3'000'000, begin_ns));
}

}  // namespace
