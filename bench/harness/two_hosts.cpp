#include "bench/harness/two_hosts.hpp"

#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/harness/program.hpp"
#include "far/base/error.hpp"

namespace far::bench {

two_hosts::two_hosts(int limit_s)
    : limit_s_(limit_s), scripts_(own_folder() / "../../../test/hosts") {}

std::vector<std::string> two_hosts::on_hosts() const {
  return {scripts_ / "hosts.sh", "-n", "2", "--limit", fmt::format("{}", limit_s_), "--"};
}

std::string two_hosts::obstacle() const {
  if (!std::filesystem::exists(scripts_ / "hosts.sh"))
    return "what makes hosts is in the source tree (test/hosts)";
  std::vector<std::string> words = on_hosts();
  words.emplace_back("true");
  const outcome result = run_program(words, limit_s_);
  if (result.status == 0) return "";
  std::string why = result.complaint();
  constexpr std::string_view prefix = "hosts: skipped: ";
  if (why.starts_with(prefix)) why.erase(0, prefix.size());
  return why;
}

std::vector<std::string> two_hosts::launcher() const {
  std::vector<std::string> words = on_hosts();
  words.insert(words.end(), {"env", "UCX_TLS=tcp,self", "UCX_NET_DEVICES=eth0"});
  return words;
}

nlohmann::ordered_json two_hosts::run_benchmark(const std::string& name,
                                                const std::vector<std::string>& options) const {
  const std::string far = own_folder() / "far";
  std::vector<std::string> words = launcher();
  words.insert(words.end(), {far, "run", "--rsh", std::filesystem::canonical(scripts_ / "agent.sh"),
                             "--hosts", "farhost0,farhost1", far, "bench", name, "--json"});
  words.insert(words.end(), options.begin(), options.end());
  const outcome result = run_program(words, limit_s_);
  if (result.status != 0) throw error("far on two hosts failed: " + result.complaint());
  return nlohmann::ordered_json::parse(result.output);
}

}  // namespace far::bench
