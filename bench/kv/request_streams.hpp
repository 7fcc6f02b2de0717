#pragma once
// Streams of requests to a cache: which key each is for.

#include <cctype>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bench/harness/zipf.hpp"
#include "bench/kv/cache_models.hpp"
#include "far/base/error.hpp"
#include "far/base/random.hpp"

namespace far::bench {

struct request_stream {
  std::string name;  ///< one word
  std::size_t keys = 0;
  std::vector<cache_key> requests = {};
  /// The first ones, which fill the cache, and whose hits are not counted.
  std::size_t uncounted = 0;
};

inline constexpr double usual_skew = .99;  // as in YCSB

/// Zipf-distributed over `keys`, scrambled.
[[nodiscard]] inline request_stream zipf_stream(std::size_t keys, std::size_t count) {
  zipf_ranks rank(keys, usual_skew, 1);
  request_stream result{"zipf", keys, {}, count / 4};
  result.requests.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    result.requests.push_back(static_cast<cache_key>(base::mix(rank() + 1) % keys));
  }
  return result;
}

/// The same, but after each 3.5 `scan` requests, `scan` others are for keys that are not asked for
/// again soon: each in turn of four times as many as the frequent ones.
[[nodiscard]] inline request_stream zipf_stream_with_scans(std::size_t keys, std::size_t count,
                                                           std::size_t scan) {
  zipf_ranks rank(keys, usual_skew, 2);
  request_stream result{"zipf+scans", 5 * keys, {}, count / 4};
  result.requests.reserve(count);
  std::size_t next = keys;
  while (result.requests.size() < count) {
    for (std::size_t i = 0; i < scan * 7 / 2; ++i) {
      result.requests.push_back(static_cast<cache_key>(base::mix(rank() + 1) % keys));
    }
    for (std::size_t i = 0; i < scan; ++i) {
      result.requests.push_back(static_cast<cache_key>(next));
      if (++next == 5 * keys) next = keys;
    }
  }
  result.requests.resize(count);
  return result;
}

/// The same as zipf_stream, but after each 200 requests every key takes the rank of the next more
/// frequent one, and the most frequent key becomes the rarest.
[[nodiscard]] inline request_stream moving_zipf_stream(std::size_t keys, std::size_t count) {
  zipf_ranks rank(keys, usual_skew, 3);
  request_stream result{"zipf,moving", keys, {}, count / 4};
  result.requests.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t who = rank() + i / 200;
    result.requests.push_back(static_cast<cache_key>(base::mix(who % keys + 1) % keys));
  }
  return result;
}

/// The requests of a file. A line is one key of any kind, or, in the format of the traces of ARC
/// (Megiddo, Modha, FAST 2003), the number of a block, how many blocks from it on, and other
/// numbers. All are counted.
/// Errors: bad_argument if the file cannot be read or has no requests.
[[nodiscard]] inline request_stream stream_of_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw bad_argument("cannot read the trace " + path);
  request_stream result{path.substr(path.rfind('/') + 1)};
  std::unordered_map<std::string, cache_key> ids;
  const auto add = [&](std::string key) {
    const auto id = static_cast<cache_key>(ids.size());
    result.requests.push_back(ids.try_emplace(std::move(key), id).first->second);
  };
  std::string line;
  while (std::getline(file, line)) {
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) {
      line.pop_back();
    }
    if (line.empty()) continue;
    const char* const end = line.data() + line.size();
    std::uint64_t first = 0;
    std::uint64_t blocks = 0;
    const char* const space = std::from_chars(line.data(), end, first).ptr;
    const bool is_range = space != line.data() && space != end && *space == ' ' &&
                          std::from_chars(space + 1, end, blocks).ec == std::errc();
    if (!is_range) add(line);
    for (std::uint64_t i = 0; i < blocks; ++i) add(std::to_string(first + i));
  }
  result.keys = ids.size();
  if (result.keys == 0) throw bad_argument("the trace " + path + " has no requests");
  return result;
}

}  // namespace far::bench
