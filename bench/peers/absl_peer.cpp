// The alternative for one process: absl::flat_hash_map, to compare libfar's batches with.
//
// usage: absl_peer KEYS ROUNDS
// Inserts the keys 0 .. KEYS - 1, 8 bytes each with a value of 8 bytes, one after another into a
// map with reserved space, then adds to all their values. Output: lines "insert nanoseconds" and
// "update nanoseconds", per key, medians over rounds.

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
  // Make malloc reuse the memory of the previous round: libfar's maps also have mapped pages.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);

  std::vector<double> inserts;
  std::vector<double> updates;
  for (int round = -1; round < rounds; ++round) {  // the first does not count
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
