#pragma once
// A temporary folder that stands for the root of the system's files.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace far::test {

class system_files {
 public:
  system_files() : root_(::testing::TempDir() + "far-system-XXXXXX") {
    if (mkdtemp(root_.data()) == nullptr) ADD_FAILURE() << "no folder";
  }
  ~system_files() { std::filesystem::remove_all(root_); }
  system_files(const system_files&) = delete;
  system_files& operator=(const system_files&) = delete;

  [[nodiscard]] const std::string& root() const { return root_; }
  void add(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

 private:
  std::string root_;
};

}  // namespace far::test
