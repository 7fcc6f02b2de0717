#include "far/fabric/sim/profile.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "far/base/error.hpp"

namespace far::fabric::sim {
namespace {

class profile_test : public ::testing::Test {
 protected:
  ~profile_test() override { unlink(path_.c_str()); }

  profile read(const std::string& text) {
    std::ofstream(path_) << text;
    return find_profile(path_);
  }
  std::string complaint(const std::string& text) {
    try {
      (void)read(text);
    } catch (const bad_argument& error) {
      return error.what();
    }
    return "no complaint";
  }

  std::string path_ = testing::TempDir() + "profile" + std::to_string(getpid());
};

TEST_F(profile_test, a_file_says_what_is_different_from_its_base) {
  const profile base = find_profile("cori-aries");
  const profile mine = read(
      R"({"base": "cori-aries", "name": "mine", "ranks_per_node": 4, "gap": 12.5,
          "links": {"group": {"latency": 800}}})");
  EXPECT_EQ(mine.name, "mine");
  EXPECT_EQ(mine.ranks_per_node, 4);
  EXPECT_EQ(mine.gap, 12500u);
  EXPECT_EQ(mine.link(distance::group).latency, 800'000u);
  EXPECT_EQ(mine.link(distance::group).kilobyte, base.link(distance::group).kilobyte);
  EXPECT_EQ(mine.amo_service, base.amo_service);
}

TEST_F(profile_test, what_is_written_is_read_again) {
  for (const profile& known : known_profiles()) {
    const profile again = read(text_of(known));
    EXPECT_EQ(text_of(again), text_of(known));
    EXPECT_FALSE(known.about.empty());
  }
}

TEST_F(profile_test, wrong_values_are_told_by_name) {
  const auto says = [&](const std::string& text, const std::string& what) {
    EXPECT_NE(complaint(text).find(what), std::string::npos) << text << ": " << complaint(text);
  };
  says("{", "no JSON");
  says("[]", "want an object");
  says(R"({"gap": -1})", "gap: -1: want nanoseconds");
  says(R"({"gap": "fast"})", R"(gap: "fast": want nanoseconds)");
  says(R"({"gap": 1e300})", "gap: 1e+300: want nanoseconds");
  says(R"({"ranks_per_node": 0})", "ranks_per_node: want a whole number from 1");
  says(R"({"ranks_per_node": 1.5})", "ranks_per_node: want a whole number");
  says(R"({"outside": {"putt": 1}})", "outside.putt: no such value; there are: put, get");
  says(R"({"links": {"moon": {}}})", "links.moon: no such value");
  says(R"({"links": {"node": 7}})", "links.node: want an object");
  says(R"({"base": "cray"})", "there is no 'cray'; there are: cori-aries");
}

TEST_F(profile_test, a_file_of_nothing_is_no_machine) {
  const std::string what = "profile " + path_ + ": ";
  EXPECT_EQ(complaint("").find(what + "the file is empty; "), 0u) << complaint("");
  EXPECT_EQ(complaint(" \n").find(what + "the file is empty; "), 0u);
  for (const char* text : {"{}", R"({"name": "mine", "ranks_per_node": 4})", R"({"gap": 0})"}) {
    EXPECT_EQ(complaint(text).find(what + "all times are 0 ns; "), 0u) << complaint(text);
  }
  EXPECT_EQ(read(R"({"gap": 1})").gap, 1000u);
}

TEST_F(profile_test, a_file_that_cannot_be_read_is_told) {
  const auto says = [](const std::string& name, const std::string& what) {
    try {
      (void)find_profile(name);
      ADD_FAILURE() << name;
    } catch (const bad_argument& error) {
      EXPECT_EQ(error.what(), "profile " + name + what);
    }
  };
  says("/", ": cannot read: Is a directory");
  says("/dev/null/mine", ": cannot open: Not a directory");
}

TEST_F(profile_test, a_name_that_is_nothing_is_told_with_those_that_are) {
  try {
    (void)find_profile("no-such-machine");
    FAIL() << "no exception";
  } catch (const bad_argument& error) {
    EXPECT_NE(std::string(error.what()).find("piz-daint"), std::string::npos) << error.what();
  }
}

TEST_F(profile_test, distances_follow_nodes_and_groups) {
  profile p;
  p.ranks_per_node = 2;
  p.nodes_per_group = 2;
  EXPECT_EQ(p.between(0, 0), distance::self);
  EXPECT_EQ(p.between(0, 1), distance::node);
  EXPECT_EQ(p.between(1, 2), distance::group);
  EXPECT_EQ(p.between(3, 4), distance::machine);
}

}  // namespace
}  // namespace far::fabric::sim
