// A baseline written in UCP, to compare libfar with: a put and a flush of its endpoint, and a get.
// Two processes of this machine, over the transport that UCX_TLS names; the target only makes
// progress.
//
// usage: ucp_peer put|get
// Output: nanoseconds per operation, the median over rounds.

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

namespace {

constexpr int rounds = 41;
constexpr double round_ns = 5e6;
constexpr std::size_t max_bytes = 4096;

/// The target's address and key, in memory that both processes share.
struct card {
  std::atomic<bool> written{false};
  std::atomic<bool> over{false};
  std::uint64_t place = 0;
  std::size_t address_bytes = 0;
  std::size_t key_bytes = 0;
  std::byte address[max_bytes];
  std::byte key[max_bytes];
};

void check(ucs_status_t status, const char* what) {
  if (status == UCS_OK) return;
  std::fprintf(stderr, "ucp_peer: cannot %s: %s\n", what, ucs_status_string(status));
  std::_Exit(EXIT_FAILURE);
}

/// Binds each process to its own core if there are enough, like libfar's ranks.
void take_core(int index) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0 || CPU_COUNT(&allowed) < 2) return;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &allowed) || index-- > 0) continue;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(core, &own);
    sched_setaffinity(0, sizeof(own), &own);
    return;
  }
}

struct worker {
  ucp_context_h context = nullptr;
  ucp_worker_h handle = nullptr;

  worker() {
    ucp_params_t params{};
    params.field_mask = UCP_PARAM_FIELD_FEATURES;
    params.features = UCP_FEATURE_RMA;
    check(ucp_init(&params, nullptr, &context), "start UCX");
    ucp_worker_params_t how{};
    how.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    how.thread_mode = UCS_THREAD_MODE_SINGLE;
    check(ucp_worker_create(context, &how, &handle), "make a worker");
  }
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker() {
    ucp_worker_destroy(handle);
    ucp_cleanup(context);
  }

  void end(ucs_status_ptr_t request, const char* what) const {
    if (request == nullptr) return;
    if (UCS_PTR_IS_ERR(request)) check(UCS_PTR_STATUS(request), what);
    while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(handle);
    check(ucp_request_check_status(request), what);
    ucp_request_free(request);
  }
};

void copy(std::byte* to, const void* from, std::size_t bytes) {
  if (bytes > max_bytes) check(UCS_ERR_BUFFER_TOO_SMALL, "tell the address");
  std::memcpy(to, from, bytes);
}

void be_target(card& own) {
  take_core(1);
  const worker here;
  std::vector<std::uint64_t> memory(512);
  ucp_mem_map_params_t what{};
  what.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH;
  what.address = memory.data();
  what.length = memory.size() * sizeof(memory[0]);
  ucp_mem_h mapped = nullptr;
  check(ucp_mem_map(here.context, &what, &mapped), "register memory");
  ucp_address_t* address = nullptr;
  check(ucp_worker_get_address(here.handle, &address, &own.address_bytes), "tell the address");
  copy(own.address, address, own.address_bytes);
  void* key = nullptr;
  check(ucp_rkey_pack(here.context, mapped, &key, &own.key_bytes), "pack a key");
  copy(own.key, key, own.key_bytes);
  own.place = reinterpret_cast<std::uint64_t>(memory.data());
  own.written.store(true, std::memory_order_release);

  while (!own.over.load(std::memory_order_acquire)) ucp_worker_progress(here.handle);
  ucp_rkey_buffer_release(key);
  ucp_worker_release_address(here.handle, address);
  ucp_mem_unmap(here.context, mapped);
}

/// The origin's access to the target's memory.
struct path {
  ucp_ep_h endpoint = nullptr;
  ucp_rkey_h key = nullptr;
  std::uint64_t place = 0;
};

void put(const worker& here, const path& to, std::uint64_t value) {
  const ucp_request_param_t plain{};
  const auto put = ucp_put_nbx(to.endpoint, &value, sizeof(value), to.place, to.key, &plain);
  const auto flush = ucp_ep_flush_nbx(to.endpoint, &plain);
  here.end(put, "put");
  here.end(flush, "flush");
}

void get(const worker& here, const path& from) {
  const ucp_request_param_t plain{};
  std::uint64_t value = 0;
  here.end(ucp_get_nbx(from.endpoint, &value, sizeof(value), from.place, from.key, &plain), "get");
}

/// Nanoseconds of `count` operations, each complete before the next begins.
double timed(const worker& here, const path& way, bool puts, long count) {
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < count; ++i) {
    if (puts) {
      put(here, way, static_cast<std::uint64_t>(i));
    } else {
      get(here, way);
    }
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  return std::chrono::duration<double, std::nano>(took).count();
}

void be_origin(card& other, bool puts) {
  take_core(0);
  const worker here;
  while (!other.written.load(std::memory_order_acquire)) sched_yield();
  ucp_ep_params_t to{};
  to.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
  to.address = reinterpret_cast<const ucp_address_t*>(other.address);
  path way;
  way.place = other.place;
  check(ucp_ep_create(here.handle, &to, &way.endpoint), "make an endpoint");
  check(ucp_ep_rkey_unpack(way.endpoint, other.key, &way.key), "take a key");

  long count = 16;
  while (timed(here, way, puts, count) < round_ns) count *= 2;
  std::vector<double> times(rounds);
  for (double& ns : times) ns = timed(here, way, puts, count) / static_cast<double>(count);
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  std::printf("%.1f\n", times[rounds / 2]);

  ucp_rkey_destroy(way.key);
  const ucp_request_param_t plain{};
  here.end(ucp_ep_close_nbx(way.endpoint, &plain), "close");
}

}  // namespace

int main(int count, char** words) {
  const std::string_view what = count == 2 ? words[1] : "";
  if (what != "put" && what != "get") {
    std::fputs("usage: ucp_peer put|get\n", stderr);
    return 2;
  }
  void* const memory =
      mmap(nullptr, sizeof(card), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) check(UCS_ERR_NO_MEMORY, "map memory");
  card& shared = *new (memory) card;
  // Do not wait for a process that has failed.
  signal(SIGCHLD, [](int) { std::_Exit(EXIT_FAILURE); });
  const pid_t target = fork();
  if (target < 0) check(UCS_ERR_NO_RESOURCE, "make a process");
  if (target == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    be_target(shared);
    return EXIT_SUCCESS;
  }
  be_origin(shared, what == "put");
  signal(SIGCHLD, SIG_DFL);
  shared.over.store(true, std::memory_order_release);
  int status = 0;
  waitpid(target, &status, 0);
  return status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
