#include "far/fabric/ucx/interfaces.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "far/base/environment.hpp"

namespace far::fabric::ucx {
namespace {

using addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

addresses resolve(const std::string& name, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  if (getaddrinfo(name.c_str(), "9", &hints, &found) != 0) found = nullptr;
  return {found, &freeaddrinfo};
}

std::string text_of(const sockaddr* address, socklen_t bytes) {
  std::array<char, NI_MAXHOST> text{};
  const int failed =
      getnameinfo(address, bytes, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return failed != 0 ? "" : text.data();
}

/// The source address of packets to `to`. Finds it without sending a packet.
std::string source_towards(const std::string& to) {
  if (to.empty()) return "";
  const addresses target = resolve(to, AI_NUMERICHOST);
  if (target == nullptr) return "";
  const int probe = socket(target->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return "";
  sockaddr_storage own{};
  socklen_t bytes = sizeof(own);
  const bool known = connect(probe, target->ai_addr, target->ai_addrlen) == 0 &&
                     getsockname(probe, reinterpret_cast<sockaddr*>(&own), &bytes) == 0;
  close(probe);
  return known ? text_of(reinterpret_cast<const sockaddr*>(&own), bytes) : "";
}

/// The name of the interface that has an address, unless it is the loopback.
std::string interface_of(const std::string& address) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return "";
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(all, &freeifaddrs);
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || (one->ifa_flags & IFF_LOOPBACK) != 0) continue;
    const int family = one->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    const socklen_t bytes = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (text_of(one->ifa_addr, bytes) == address) return one->ifa_name;
  }
  return "";
}

/// Appends the addresses in Open MPI's "1460469760.0;tcp://10.83.0.1,192.168.1.2:37353".
void append_uri(std::string_view uri, std::vector<std::string>& result) {
  const std::size_t begin = uri.find("://");
  const std::size_t end = uri.rfind(':');
  if (begin == std::string_view::npos || end < begin + 3) return;
  for (std::size_t at = begin + 3; at < end;) {
    const std::size_t comma = std::min(uri.find(',', at), end);
    std::string_view one = uri.substr(at, comma - at);
    if (one.starts_with('[') && one.ends_with(']')) one = one.substr(1, one.size() - 2);
    result.emplace_back(one);
    at = comma + 1;
  }
}

/// Appends the names that UCX gives to RDMA devices, such as "mlx5_0:1".
void append_rdma_devices(std::string& list) {
  namespace fs = std::filesystem;
  std::error_code none;
  for (const auto& device : fs::directory_iterator("/sys/class/infiniband", none)) {
    for (const auto& port : fs::directory_iterator(device.path() / "ports", none)) {
      list += ',' + device.path().filename().string() + ':' + port.path().filename().string();
    }
  }
}

}  // namespace

std::vector<std::string> launcher_addresses() {
  std::vector<std::string> result;
  append_uri(base::environment_text("OMPI_MCA_orte_hnp_uri"), result);
  result.emplace_back(base::environment_text("SLURM_LAUNCH_NODE_IPADDR"));
  const std::string_view ssh = base::environment_text("SSH_CONNECTION");
  result.emplace_back(ssh.substr(0, ssh.find(' ')));  // the ssh client's address
  return result;
}

std::vector<std::string> own_addresses() {
  std::vector<std::string> result;
  std::array<char, HOST_NAME_MAX + 1> name{};
  if (gethostname(name.data(), name.size() - 1) == 0) {
    const addresses own = resolve(name.data(), 0);
    for (const addrinfo* one = own.get(); one != nullptr; one = one->ai_next) {
      result.push_back(text_of(one->ai_addr, one->ai_addrlen));
    }
  }
  return result;
}

std::string interface_towards(const std::vector<std::string>& addresses) {
  for (const std::string& one : addresses) {
    std::string found = interface_of(source_towards(one));
    if (!found.empty()) return found;
  }
  return "";
}

std::string devices_towards_launcher() {
  std::string list = interface_towards(launcher_addresses());
  if (list.empty()) list = interface_towards(own_addresses());
  if (!list.empty()) append_rdma_devices(list);
  return list;
}

}  // namespace far::fabric::ucx
