#pragma once
// Which of the machine's network interfaces a rank may listen on.

#include <string>
#include <vector>

namespace far::fabric::ucx {

/// Addresses in what launchers tell their processes of where they are, most telling first.
std::vector<std::string> launcher_addresses();
/// What this machine's own name means. May ask a name server.
std::vector<std::string> own_addresses();

/// The interface from which packets to one of these addresses leave: of the first that has one
/// but the loopback. Empty: none.
std::string interface_towards(const std::vector<std::string>& addresses);

/// A value for UCX's NET_DEVICES: that interface, and all that do RDMA, which is theirs to guard.
/// Empty where it cannot be told: then UCX takes them all.
std::string devices_towards_launcher();

}  // namespace far::fabric::ucx
