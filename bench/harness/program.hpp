#pragma once
// Runs and finds other programs.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace far::bench {

/// A program's exit status and output.
struct outcome {
  int status = 0;  ///< exit status; 128 + signal if a signal ended it
  std::string output;
  std::string errors;

  /// Why the program failed, in one line, for a remark.
  [[nodiscard]] std::string complaint() const;
};

/// Runs a program and waits until it ends. The first argument is its path, or a name to find in
/// PATH. Stops it after `limit_s` seconds (status 124).
/// Errors: std::system_error if no process can be created.
[[nodiscard]] outcome run_program(const std::vector<std::string>& arguments, int limit_s);

/// Whether PATH contains the program.
[[nodiscard]] bool in_path(std::string_view name);

/// The folder of the running program.
[[nodiscard]] std::filesystem::path own_folder();

/// A file for other programs to read; the destructor removes it.
class temporary_file {
 public:
  temporary_file();
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Appends. Errors: std::system_error, such as for a full disk.
  void write(std::string_view text);

 private:
  std::string path_;
  int file_;
};

/// A folder for files whose names matter; the destructor removes it with them.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  /// The path of a file in it.
  [[nodiscard]] std::string file(std::string_view name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace far::bench
