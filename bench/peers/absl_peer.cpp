// What a user of one process would take for the same work: absl::flat_hash_map, for comparison with
// libfar's batches.
//
// usage: absl_peer KEYS ROUNDS
// Inserts the keys 0 .. KEYS - 1, 8 bytes each with a value of 8 bytes, into a map that has room
// for them, one after another, and then adds to all their values. Output: "insert nanoseconds" and
// "update nanoseconds" lines, of one key, medians over rounds.

#include <absl/container/flat_hash_map.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

double now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(now).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t keys = argc == 3 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const int rounds = argc == 3 ? std::atoi(argv[2]) : 0;
  if (keys == 0 || rounds < 1) {
    std::fprintf(stderr, "absl_peer: usage: absl_peer KEYS ROUNDS\n");
    return 2;
  }
  // The map's memory is that of the round before: libfar's has its pages too.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);

  std::vector<double> inserts;
  std::vector<double> updates;
  for (int round = -1; round < rounds; ++round) {  // the first is not counted
    absl::flat_hash_map<std::uint64_t, std::uint64_t> map;
    map.reserve(keys);
    const double begin = now_ns();
    for (std::uint64_t key = 0; key < keys; ++key) map[key] += key;
    const double middle = now_ns();
    for (std::uint64_t key = 0; key < keys; ++key) map[key] += key;
    const double end = now_ns();
    if (map.size() != keys || map[keys - 1] != 2 * (keys - 1)) return 1;
    if (round < 0) continue;
    inserts.push_back((middle - begin) / static_cast<double>(keys));
    updates.push_back((end - middle) / static_cast<double>(keys));
  }
  std::printf("insert %.3f\nupdate %.3f\n", median(inserts), median(updates));
  return 0;
}
