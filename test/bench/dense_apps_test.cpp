// far bench mg and matmul: each row has its comparison, or the reason is told.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "test/support/command.hpp"

namespace {

using far::test::built;
using far::test::outcome;
using far::test::run_command;

TEST(DenseAppsBench, EachRowHasItsComparison) {
  for (const std::string name : {"mg", "matmul"}) {
    const outcome result = run_command({built("far"), "bench", name, "--quick", "--json"});
    ASSERT_EQ(result.status, 0) << result.errors;
    const auto rows = nlohmann::json::parse(result.output);
    if (!std::filesystem::exists(built("far-" + name))) {
      EXPECT_TRUE(rows.empty());
      EXPECT_NE(result.errors.find("nothing to measure"), std::string::npos) << result.errors;
      continue;
    }
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].at("name"), name == "mg" ? "class S" : "256 x 256");
    EXPECT_GT(rows[0].at("ns"), 0);
    EXPECT_EQ(rows[0].at("limit_ns").is_null(), name == "mg");
    EXPECT_TRUE(rows[0].at("peers").contains("Open MPI") ||
                result.errors.find("mpirun") != std::string::npos)
        << result.errors;
  }
}

}  // namespace
