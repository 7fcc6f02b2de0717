// The main function of test programs. A program has the tests of a folder's files; started by the
// name of a file (team_barrier_test, for src/far/team/barrier_test.cpp), it runs only that file's.

#include <cstdio>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace {

/// "team_barrier_test", as far_test_name of cmake/far_tests.cmake makes it.
std::string name_of(std::string_view file) {
  constexpr std::string_view root = FAR_SOURCE_DIR "/";
  if (file.starts_with(root)) file.remove_prefix(root.size());
  for (const std::string_view prefix : {"src/far/", "test/"}) {
    if (file.starts_with(prefix)) {
      file.remove_prefix(prefix.size());
      break;
    }
  }
  std::string name(file.substr(0, file.rfind('.')));
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  return name;
}

/// Adds the tests of other files to what the filter leaves out. Returns false if there are only
/// such tests.
bool leave_out_others(std::string_view program) {
  std::string others;
  bool found = false;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const ::testing::TestSuite& suite = *all.GetTestSuite(s);
    std::string in_suite;
    bool found_in_suite = false;
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const ::testing::TestInfo& test = *suite.GetTestInfo(t);
      if (name_of(test.file()) == program) {
        found_in_suite = true;
      } else {
        in_suite += std::string(":") + suite.name() + "." + test.name();
      }
    }
    others += found_in_suite ? in_suite : std::string(":") + suite.name() + ".*";
    found |= found_in_suite;
  }
  std::string& filter = ::testing::GTEST_FLAG(filter);
  if (!others.empty()) {
    if (filter.find('-') == std::string::npos) others[0] = '-';
    filter += others;
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  std::string_view program = argv[0];
  program.remove_prefix(program.rfind('/') + 1);
  if (!program.ends_with("_tests") && !leave_out_others(program)) {
    std::fprintf(stderr, "%s: this program has no tests of a file of that name\n", argv[0]);
    return 1;
  }
  return RUN_ALL_TESTS();
}
