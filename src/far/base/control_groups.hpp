#pragma once
// The control groups of this process, of version 1 and 2: where their limits are.

#include <string>
#include <string_view>

#include "far/base/function_ref.hpp"

namespace far::base {

/// Calls `visit` with each folder, "/sys/fs/cgroup/.../" with its slash, whose files may limit what
/// `controller` ("memory", "cpu") lets this process use: of its groups and of their ancestors. In a
/// container a group's path may be that of the host machine, so folders need not exist.
/// `root`: prefix of the system's files, for tests.
void each_control_group(std::string_view controller, const std::string& root,
                        function_ref<void(const std::string& folder)> visit);

}  // namespace far::base
