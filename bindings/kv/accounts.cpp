#include "bindings/kv/accounts.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "far/base/error.hpp"

namespace far::kv {
namespace {

bool is_same(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(a[i] ^ b[i]);
  }
  return difference == 0;
}

}  // namespace

accounts::accounts(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw error(fmt::format("cannot read users from '{}': {}", path, std::strerror(errno)));
  std::string line;
  while (std::getline(file, line)) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) {
      throw error(fmt::format("line {} of '{}' is no 'user:password'", all_.size() + 1, path));
    }
    all_.push_back({line.substr(0, colon), line.substr(colon + 1)});
  }
  if (all_.empty()) throw error(fmt::format("there are no users in '{}'", path));
}

bool accounts::has(std::string_view user, std::string_view password) const noexcept {
  bool found = false;
  for (const account& each : all_) {
    const bool is_user = is_same(each.user, user);
    const bool is_password = is_same(each.password, password);
    found |= is_user && is_password;
  }
  return found;
}

}  // namespace far::kv
