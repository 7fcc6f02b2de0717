#pragma once
// Running other programs, and where they lie.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace far::bench {

/// How a program ended, and what it wrote.
struct outcome {
  int status = 0;  ///< of the exit; 128 + signal if one ended it
  std::string output;
  std::string errors;

  /// Why it failed, in a line: for a remark.
  [[nodiscard]] std::string complaint() const;
};

/// Runs the program with these arguments, the first of which is its path or a name to be found in
/// PATH, and waits for its end. After `limit_s` seconds it is stopped (status 124).
/// Errors: std::system_error if no process can be made.
[[nodiscard]] outcome run_program(const std::vector<std::string>& arguments, int limit_s);

/// Whether PATH has such a program.
[[nodiscard]] bool in_path(std::string_view name);

/// The folder of the running program.
[[nodiscard]] std::filesystem::path own_folder();

/// A file for other programs to read, removed at the end.
class temporary_file {
 public:
  temporary_file();
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Appends. Errors: std::system_error, e.g. when the disk is full.
  void write(std::string_view text);

 private:
  std::string path_;
  int file_;
};

}  // namespace far::bench
