// Jobs under the limits of a shell's ulimit.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/launcher/shell.hpp"
#include "test/support/command.hpp"

namespace {

using far::test::outcome;
using far::test::shell;

void expect_well(const outcome& result, std::size_t ranks) {
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(far::test::numbers_after(result.output, "ready ").size(), ranks);
}

void expect_refused(const outcome& result, int status, const std::string& what) {
  EXPECT_EQ(result.status, status);
  EXPECT_EQ(result.output, "");
  ASSERT_EQ(far::test::lines_of(result.errors).size(), 1u) << result.errors;
  EXPECT_NE(result.errors.find(what), std::string::npos) << result.errors;
}

constexpr const char* of_files =
    "the limit on the size of files (ulimit -f) allows, 61440000 bytes";

TEST(FileSizeLimit, HeapsFit) {
  for (const std::string limit : {"ulimit -f 200000", "ulimit -f 2000000", "ulimit -f 20000000"}) {
    expect_well(shell(limit + "; exec \"$FAR\" run -n 2 \"$ACT\" say"), 2);
    expect_well(shell(limit + "; exec \"$FAR\" run -n 2 --threads \"$ACT\" say"), 2);
    expect_well(shell(limit + "; exec \"$ACT\" say"), 1);
    EXPECT_EQ(shell(limit + "; exec \"$FAR\" info").status, 0);
  }
}

TEST(FileSizeLimit, HeapsThatWereAskedForAreRefused) {
  const std::string limit = "ulimit -f 120000; ";  // blocks of 512 bytes
  expect_refused(shell(limit + "exec \"$FAR\" run -n 2 --local-heap 1G \"$ACT\" say"), 2, of_files);
  expect_refused(shell(limit + "FAR_SYMMETRIC_HEAP=1G exec \"$ACT\" say"), 1, of_files);
}

TEST(FileSizeLimit, TooSmallForAnyJobIsRefused) {
  expect_refused(shell("ulimit -f 1000; exec \"$FAR\" run -n 2 \"$ACT\" say"), 2,
                 "the limit on the size of files (ulimit -f) allows, 512000 bytes");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they map terabytes

TEST(AddressSpaceLimit, HeapsFit) {
  const std::string limit = "ulimit -v 2000000; ";
  expect_well(shell(limit + "exec \"$FAR\" run -n 2 \"$ACT\" say"), 2);
  expect_well(shell(limit + "exec \"$FAR\" run -n 2 --threads \"$ACT\" say"), 2);
  expect_well(shell(limit + "exec \"$ACT\" say"), 1);
  const outcome info = shell(limit + "exec \"$FAR\" info --json");
  EXPECT_EQ(info.status, 0);
  const auto heap = nlohmann::json::parse(info.output)["limits"]["heap_bytes_of_one_rank"];
  EXPECT_GT(heap.get<std::uint64_t>(), std::uint64_t{100} << 20);
  EXPECT_LT(heap.get<std::uint64_t>(), std::uint64_t{1000} << 20);
}

TEST(AddressSpaceLimit, HeapsOfASimulationFit) {
  const outcome result = shell("ulimit -v 2000000; exec \"$FAR\" sim -n 16 \"$ACT\" say");
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(far::test::numbers_after(result.output, "ready ").size(), 16u);
}

TEST(AddressSpaceLimit, HeapsThatWereAskedForAreRefused) {
  const std::string what = "the limit on address space (ulimit -v)";
  expect_refused(shell("ulimit -v 2000000; exec \"$FAR\" run -n 2 --local-heap 1G \"$ACT\" say"), 2,
                 what);
  expect_refused(shell("ulimit -v 2000000; FAR_SYMMETRIC_HEAP=4G exec \"$ACT\" say"), 1, what);
}

#endif

}  // namespace
