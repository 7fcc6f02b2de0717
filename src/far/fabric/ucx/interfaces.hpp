#pragma once
// Selects the network interfaces on which a rank listens.

#include <string>
#include <vector>

namespace far::fabric::ucx {

/// The launcher's addresses from the environment variables that launchers set, best hint first.
std::vector<std::string> launcher_addresses();
/// The addresses of this machine's own name. May query a name server.
std::vector<std::string> own_addresses();

/// The interface that packets to the first of these addresses use. Skips addresses with no
/// interface or only the loopback. Returns an empty string if none is left.
std::string interface_towards(const std::vector<std::string>& addresses);

/// A value for UCX's NET_DEVICES: the interface towards the launcher and all RDMA devices, which
/// have their own access control. Empty if the interface is unknown: UCX then uses all devices.
std::string devices_towards_launcher();

}  // namespace far::fabric::ucx
