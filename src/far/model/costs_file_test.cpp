#include "far/model/costs_file.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "far/base/error.hpp"

namespace far::model {
namespace {

namespace files = std::filesystem;

/// Sets or unsets a variable for the duration of a test.
class variable {
 public:
  variable(const char* name, const char* value) : name_(name) {
    if (const char* old = getenv(name)) old_ = old;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

class costs_file_test : public testing::Test {
 protected:
  costs_file_test() { files::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return folder_ + "/below/model.json"; }
  void write_text(const std::string& text) const {
    files::create_directories(files::path(path()).parent_path());
    std::ofstream(path()) << text;
  }

  const std::string folder_ = testing::TempDir() + "costs_file_test";
};

measured_costs costs_from(double first, int ranks) {
  measured_costs result;
  result.ranks = ranks;
  for (double& ns : result.costs.ns) ns = first++;
  return result;
}

/// The error message of reading the file; "" if there is no error.
std::string complaint_of(const std::string& path) {
  try {
    (void)read_costs(path);
  } catch (const bad_argument& error) {
    return error.what();
  }
  return "";
}

TEST_F(costs_file_test, variables_say_where_it_is) {
  const variable model("FAR_MODEL", "/a/b.json");
  const variable cache("XDG_CACHE_HOME", "/cache");
  const variable home("HOME", "/home/me");
  EXPECT_EQ(costs_file_path(), "/a/b.json");
  const variable no_model("FAR_MODEL", nullptr);
  EXPECT_EQ(costs_file_path(), "/cache/far/model.json");
  const variable relative_cache("XDG_CACHE_HOME", "cache");
  EXPECT_EQ(costs_file_path(), "/home/me/.cache/far/model.json");
  const variable no_home("HOME", nullptr);
  EXPECT_EQ(costs_file_path(), "");
}

TEST_F(costs_file_test, what_is_written_is_read) {
  EXPECT_TRUE(read_costs(path()).empty());
  EXPECT_TRUE(read_costs("").empty());
  costs_by_distance costs;
  at(costs, distance::self) = costs_from(1.5, 2);
  at(costs, distance::other_node) = costs_from(1000.123, 64);
  write_costs(path(), "ucx", costs);
  const costs_of_fabrics all = read_costs(path());
  ASSERT_EQ(all.size(), 1u);
  const costs_by_distance& ucx = all.at("ucx");
  EXPECT_EQ(at(ucx, distance::self)->costs.ns, at(costs, distance::self)->costs.ns);
  EXPECT_FALSE(at(ucx, distance::same_node));
  EXPECT_EQ(at(ucx, distance::other_node)->ranks, 64);
  EXPECT_NEAR(at(ucx, distance::other_node)->costs.of(component::local), 1007.123, 1e-6);
}

TEST_F(costs_file_test, others_are_kept) {
  costs_by_distance both;
  at(both, distance::self) = costs_from(1, 2);
  at(both, distance::same_node) = costs_from(2, 2);
  write_costs(path(), "shm", both);
  write_costs(path(), "sim/cori-aries", both);
  costs_by_distance one;
  at(one, distance::self) = costs_from(7, 1);
  write_costs(path(), "shm", one);
  const costs_of_fabrics all = read_costs(path());
  EXPECT_EQ(at(all.at("shm"), distance::self)->costs.of(component::put), 7);
  EXPECT_EQ(at(all.at("shm"), distance::same_node)->costs.of(component::put), 2);
  EXPECT_EQ(at(all.at("sim/cori-aries"), distance::self)->costs.of(component::put), 1);
  const files::directory_iterator entries(files::path(path()).parent_path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);  // no temporary file is left
}

TEST_F(costs_file_test, a_link_stays_one) {
  costs_by_distance costs;
  at(costs, distance::self) = costs_from(1, 2);
  write_costs(path(), "shm", costs);
  const std::string link = folder_ + "/link.json";
  files::create_symlink(path(), link);
  write_costs(link, "ucx", costs);
  EXPECT_TRUE(files::is_symlink(link));
  EXPECT_EQ(read_costs(path()).size(), 2u);
}

TEST_F(costs_file_test, what_is_wrong_is_told) {
  const std::string begin = R"({"fabrics": {"shm": {"self": )";
  const std::string all = R"("put": 1, "get": 1, "fetch_add": 1, "hot_fetch_add": 1,
                             "compare_swap": 1, "turn": 1, "message": 1)";
  const std::pair<std::string, const char*> wrong[] = {
      {"", "no JSON"},
      {"{\"fabrics\":", "no JSON, from byte 12 on"},
      {"[]", "want an object"},
      {R"({"fabric": {}})", "fabric: no such key; there is: fabrics"},
      {R"({"fabrics": 3})", "fabrics: want an object"},
      {R"({"fabrics": {"shm": {"near": {}}}})",
       "fabrics.shm.near: no such distance; there are: self, same_node, other_node"},
      {begin + "{}}}}", "fabrics.shm.self: there is no 'ranks'"},
      {begin + R"({"ranks": 0}}}})", "fabrics.shm.self.ranks: 0: want a number of ranks"},
      {begin + R"({"ranks": 2, "put": -1}}}})", "fabrics.shm.self.put: -1: want nanoseconds"},
      {begin + R"({"ranks": 2, "put": "1"}}}})", "fabrics.shm.self.put: \"1\": want nanosec"},
      {begin + R"({"ranks": 2, "putt": 1}}}})", "fabrics.shm.self.putt: no such component"},
      {begin + R"({"ranks": 2, )" + all + "}}}}", "there are 7 of the 8 components"},
  };
  for (const auto& [text, what] : wrong) {
    write_text(text);
    const std::string complaint = complaint_of(path());
    EXPECT_NE(complaint.find(what), std::string::npos) << complaint;
    EXPECT_NE(complaint.find(path()), std::string::npos) << complaint;
    EXPECT_NE(complaint.find("far model calibrate"), std::string::npos) << complaint;
    EXPECT_EQ(complaint.find('\n'), std::string::npos) << complaint;
  }
  write_text(begin + R"({"ranks": 2, "local": 1, )" + all + "}}}}");
  EXPECT_EQ(complaint_of(path()), "");
}

TEST_F(costs_file_test, what_cannot_be_written_is_told) {
  costs_by_distance costs;
  at(costs, distance::self) = costs_from(1, 2);
  files::create_directories(folder_);
  const std::string file = folder_ + "/file";
  std::ofstream(file) << "x";
  for (const std::string& path : {std::string(), file + "/model.json", folder_, file}) {
    try {
      write_costs(path, "shm", costs);
      ADD_FAILURE() << "wrote to " << path;
    } catch (const bad_argument& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(path.empty() ? "FAR_MODEL" : path), std::string::npos) << what;
    }
  }
  EXPECT_EQ(files::file_size(file), 1u);  // the malformed file is kept
}

}  // namespace
}  // namespace far::model
