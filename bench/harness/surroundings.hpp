#pragma once
// Environment variables of a measurement.

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace far::bench {

/// Sets environment variables for this process and its children, until the end of the scope.
class surroundings {
 public:
  explicit surroundings(const std::vector<std::pair<const char*, const char*>>& variables) {
    for (const auto& [name, value] : variables) {
      const char* const old = std::getenv(name);
      before_.emplace_back(name, old == nullptr ? std::nullopt : std::optional<std::string>(old));
      setenv(name, value, 1);
    }
  }
  ~surroundings() {
    for (const auto& [name, value] : before_) {
      value ? setenv(name, value->c_str(), 1) : unsetenv(name);
    }
  }
  surroundings(const surroundings&) = delete;
  surroundings& operator=(const surroundings&) = delete;

 private:
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

/// Two ranks of one machine communicate as two nodes do: by UCX and TCP, over loopback.
inline surroundings tcp_on_one_machine() {
  return surroundings({{"FAR_FABRIC", "ucx"},
                       {"FAR_RANKS_PER_NODE", "1"},
                       {"UCX_TLS", "tcp,self"},
                       {"UCX_NET_DEVICES", "lo"}});
}

}  // namespace far::bench
