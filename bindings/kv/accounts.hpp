#pragma once
// Users and their passwords, for servers that ask for them (-Y).

#include <string>
#include <string_view>
#include <vector>

namespace far::kv {

/// Those of a file: a line for each, "user:password". Immutable, so threads may share it.
class accounts {
 public:
  /// Errors: far::error, one line, if the file cannot be read, has no line, or one without a colon.
  explicit accounts(const std::string& path);

  /// Cost: a comparison with each line, whose time depends on lengths only, so that nobody finds a
  /// password byte by byte.
  [[nodiscard]] bool has(std::string_view user, std::string_view password) const noexcept;

 private:
  struct account {
    std::string user;
    std::string password;
  };
  std::vector<account> all_;
};

}  // namespace far::kv
