#include "far/launch/hosts.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/job.hpp"

namespace far::launch {
namespace {

host parse_host(std::string_view text, std::string_view all) {
  const auto colon = text.find(':');
  host result{std::string(text.substr(0, colon)), 1};
  // Characters that have no special meaning to a shell or to ssh.
  constexpr std::string_view allowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._@";
  if (result.name.empty() || result.name.front() == '-' ||
      result.name.find_first_not_of(allowed) != std::string::npos) {
    throw bad_argument(
        fmt::format("--hosts {}: '{}' is not a host; want NAME[:RANKS],...", all, text));
  }
  if (colon == std::string_view::npos) return result;
  const std::string_view number = text.substr(colon + 1);
  const char* const end = number.data() + number.size();
  const auto read = std::from_chars(number.data(), end, result.ranks);
  if (read.ec != std::errc{} || read.ptr != end || result.ranks < 1 ||
      result.ranks > fabric::max_job_ranks) {
    throw bad_argument(
        fmt::format("--hosts {}: '{}' is not a number of ranks, 1 to {}; want "
                    "NAME[:RANKS],...",
                    all, number, fabric::max_job_ranks));
  }
  return result;
}

}  // namespace

std::vector<host> parse_hosts(std::string_view text) {
  std::vector<host> result;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    host next = parse_host(rest.substr(0, comma), text);
    const auto same = [&](const host& other) { return other.name == next.name; };
    if (std::any_of(result.begin(), result.end(), same)) {
      throw bad_argument(fmt::format("--hosts {}: '{}' occurs twice; say {}:RANKS once", text,
                                     next.name, next.name));
    }
    result.push_back(std::move(next));
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<host> place_ranks(std::vector<host> hosts, int ranks) {
  int slots = 0;
  for (const host& one : hosts) slots += one.ranks;
  const int wanted = ranks == 0 ? slots : ranks;
  if (wanted < 1 || wanted > fabric::max_job_ranks) {
    throw bad_argument(fmt::format("a job of {} ranks: want 1 to {} over all hosts", wanted,
                                   fabric::max_job_ranks));
  }
  if (wanted > slots) {
    throw bad_argument(
        fmt::format("-n {}: the hosts have slots for {} ranks; say NAME:RANKS for "
                    "more than one on a host",
                    wanted, slots));
  }
  int left = wanted;
  for (host& one : hosts) {
    one.ranks = std::min(one.ranks, left);
    left -= one.ranks;
  }
  std::erase_if(hosts, [](const host& one) { return one.ranks == 0; });
  return hosts;
}

}  // namespace far::launch
