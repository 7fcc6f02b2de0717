#include "far/base/control_groups.hpp"

#include <fstream>

namespace far::base {
namespace {

/// Visits the folder of a group and those of its ancestors.
void each_on_path(const std::string& groups, std::string group,
                  function_ref<void(const std::string&)> visit) {
  for (;; group.resize(group.rfind('/'))) {
    visit(groups + group + (group.ends_with('/') ? "" : "/"));
    if (group.find_last_not_of('/') == group.npos) return;
  }
}

bool lists(std::string_view controllers, std::string_view wanted) {
  for (;;) {
    const auto comma = controllers.find(',');
    if (controllers.substr(0, comma) == wanted) return true;
    if (comma == controllers.npos) return false;
    controllers.remove_prefix(comma + 1);
  }
}

}  // namespace

void each_control_group(std::string_view controller, const std::string& root,
                        function_ref<void(const std::string& folder)> visit) {
  const std::string groups = root + "/sys/fs/cgroup";
  std::ifstream file(root + "/proc/self/cgroup");
  // "ID:CONTROLLERS:/PATH". Version 2 has one line, without controllers. Both versions may be in
  // use.
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (controllers.empty()) {
      each_on_path(groups, path, visit);
      each_on_path(groups + "/unified", path, visit);
    } else if (lists(controllers, controller)) {
      each_on_path(groups + "/" + std::string(controller), path, visit);
    }
  }
}

}  // namespace far::base
