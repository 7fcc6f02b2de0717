#include "far/fabric/shm/region.hpp"

#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/limits.hpp"
#include "far/base/random.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/shm/doorbell.hpp"

namespace far::fabric::shm {
namespace {

constexpr std::uint64_t layout_hash() {
  std::uint64_t hash = job_magic;
  for (const std::uint64_t size :
       {sizeof(job_header), sizeof(rank_block), sizeof(context_block), sizeof(geometry),
        sizeof(roster_entry), max_payload, ring_bytes}) {
    hash = base::mix(hash ^ size);
  }
  return hash;
}

[[noreturn]] void throw_system(const std::string& what) {
  throw fabric_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Maps the job's memory at a multiple of window_alignment. Returns as mmap does.
void* map_aligned(int descriptor, std::size_t bytes) noexcept {
  // More addresses than needed; those before and behind are given back.
  const std::size_t whole = bytes + window_alignment;
  void* const all =
      mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return all;
  auto* const begin = static_cast<std::byte*>(all);
  const std::size_t before = round_up(reinterpret_cast<std::uintptr_t>(all), window_alignment) -
                             reinterpret_cast<std::uintptr_t>(all);
  void* const base = mmap(begin + before, bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_NORESERVE | MAP_FIXED, descriptor, 0);
  const int why = errno;
  if (base == MAP_FAILED) {
    munmap(all, whole);
  } else {
    if (before > 0) munmap(begin, before);
    munmap(begin + before + bytes, window_alignment - before);
  }
  errno = why;
  return base;
}

}  // namespace

/// The mapping.
struct region::pages {
  std::byte* base;
  std::size_t bytes;

  pages(std::byte* where, std::size_t size) noexcept : base(where), bytes(size) {}
  ~pages() { munmap(base, bytes); }
  pages(const pages&) = delete;
  pages& operator=(const pages&) = delete;

  /// Takes the job's memory away, which the next job may use, but not the addresses.
  void disconnect() noexcept {
    mmap(base, bytes, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  }
};

region::region(int descriptor, std::shared_ptr<pages> memory, std::size_t area_bytes) noexcept
    : descriptor_(descriptor),
      pages_(std::move(memory)),
      base_(pages_->base),
      bytes_(pages_->bytes),
      area_bytes_(area_bytes),
      load_(&header().load) {}

segment_layout region::layout() const noexcept {
  segment_layout result;
  result.alignment = window_alignment;
  result.begin[symmetric_segment] = 0;
  result.bytes[symmetric_segment] = shape().symmetric_bytes;
  result.begin[local_segment] = shape().symmetric_bytes;
  result.bytes[local_segment] = shape().local_bytes;
  result.begin[nic_segment] = shape().symmetric_bytes + shape().local_bytes;
  result.bytes[nic_segment] = shape().nic_bytes;
  return result;
}

region region::map(int descriptor, const geometry& shape) {
  const std::size_t bytes = bytes_of(shape);
  void* base = map_aligned(descriptor, bytes);
  if (base == MAP_FAILED) {
    const bool limited = errno == ENOMEM && bytes > base::address_space_left();
    throw_system(fmt::format(
        "cannot map the job's {} bytes{}; lower FAR_SYMMETRIC_HEAP or FAR_LOCAL_HEAP", bytes,
        limited ? ", more than the limit on address space (ulimit -v) leaves" : ""));
  }
  // A core dump need not contain all segments: set_extent adds what this rank has allocated.
  madvise(base, bytes, MADV_DONTDUMP);
  return {descriptor, std::make_shared<pages>(static_cast<std::byte*>(base), bytes),
          area_bytes_of(shape)};
}

region region::create(const geometry& shape) {
  const std::size_t bytes = bytes_of(shape);
  if (bytes > base::file_size_limit()) {  // the kernel would kill this process
    throw bad_argument(fmt::format(
        "the job's memory of {} bytes is more than the limit on the size of files allows (ulimit "
        "-f: {} bytes)",
        bytes, base::file_size_limit()));
  }
  const int descriptor = memfd_create("far-job", MFD_CLOEXEC);
  if (descriptor < 0) throw_system("cannot create the job's shared memory");
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) {
    const int failure = errno;
    close(descriptor);
    errno = failure;
    throw_system(fmt::format("cannot size the job's shared memory to {} bytes", bytes));
  }
  region result = map(descriptor, shape);
  auto* header = ::new (static_cast<void*>(result.base_)) job_header{};
  header->magic = job_magic;
  header->layout_hash = layout_hash();
  header->shape = shape;
  header->key = random_key();
  header->launcher_pid = getpid();
  header->start_ns = static_cast<std::uint64_t>(
      std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  return result;
}

region region::create(geometry shape, const std::vector<std::int32_t>& nodes, int own_node) {
  shape.job_ranks = static_cast<std::int32_t>(nodes.size());
  region result = create(shape);
  result.header().node = own_node;
  for (int rank = 0; rank < shape.job_ranks; ++rank) {
    result.roster(rank).node = nodes[static_cast<std::size_t>(rank)];
  }
  result.place(nodes, own_node);
  return result;
}

region region::open(int descriptor) {
  struct stat status {};
  job_header* header = nullptr;
  if (fstat(descriptor, &status) == 0 && status.st_size >= static_cast<off_t>(header_bytes)) {
    void* first = mmap(nullptr, header_bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    if (first != MAP_FAILED) header = static_cast<job_header*>(first);
  }
  if (header == nullptr) throw fabric_error("FAR_JOB names no job: start the program by `far run`");
  const bool same = header->magic == job_magic && header->layout_hash == layout_hash();
  const geometry shape = header->shape;
  munmap(header, header_bytes);
  if (!same) {
    throw fabric_error(
        "the launcher is of another build of libfar than this program: "
        "use the `far` command that was built with it");
  }
  region result = map(descriptor, shape);
  if (shape.job_ranks > 0) {
    std::vector<std::int32_t> nodes;
    for (int rank = 0; rank < shape.job_ranks; ++rank) nodes.push_back(result.roster(rank).node);
    result.place(std::move(nodes), result.header().node);
  }
  return result;
}

void region::clear_segments(int rank) const noexcept {
  const geometry& sizes = shape();
  for (auto& extent : this->rank(rank).extents) extent.store(0, std::memory_order_relaxed);
  madvise(window(rank), sizes.symmetric_bytes + sizes.local_bytes + sizes.nic_bytes, MADV_REMOVE);
}

region::region(region&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      pages_(std::move(other.pages_)),
      base_(std::exchange(other.base_, nullptr)),
      bytes_(other.bytes_),
      area_bytes_(other.area_bytes_),
      load_(other.load_),
      nodes_(std::move(other.nodes_)),
      slots_(std::move(other.slots_)) {}

void region::place(std::vector<std::int32_t> nodes, int own_node) {
  nodes_ = std::move(nodes);
  slots_.assign(nodes_.size(), -1);
  std::int32_t next = 0;
  for (std::size_t rank = 0; rank < nodes_.size(); ++rank) {
    if (nodes_[rank] == own_node) slots_[rank] = next++;
  }
}

region::~region() {
  if (pages_ != nullptr && pages_.use_count() > 1) pages_->disconnect();
  if (descriptor_ >= 0) close(descriptor_);
}

std::uint64_t random_key() {
  std::uint64_t key = 0;
  if (getrandom(&key, sizeof(key), 0) != sizeof(key)) throw_system("cannot draw the job's key");
  return key;
}

void wake_all(const region& job) noexcept {
  for (int slot = 0; slot < job.shape().ranks; ++slot) wake_rank(job.at(slot));
}

namespace {

/// True if this is the first failure; it then stores rank + 1.
bool claim_failure(const region& job, int rank) noexcept {
  if (is_fork()) return false;  // what happens in a fork is no failure of its rank
  std::uint32_t no_rank = 0;
  return job.header().failure_claimed.compare_exchange_strong(no_rank,
                                                              static_cast<std::uint32_t>(rank) + 1);
}

failure_kind kind_of(const std::exception& failure) noexcept {
  if (dynamic_cast<const bad_argument*>(&failure) != nullptr) return failure_kind::bad_argument;
  if (dynamic_cast<const out_of_memory*>(&failure) != nullptr) return failure_kind::out_of_memory;
  if (dynamic_cast<const out_of_bounds*>(&failure) != nullptr) return failure_kind::out_of_bounds;
  if (dynamic_cast<const fabric_error*>(&failure) != nullptr) return failure_kind::fabric_error;
  return failure_kind::other;
}

void publish_failure(const region& job, int rank, failure_kind kind,
                     std::string_view text) noexcept {
  job_header& header = job.header();
  header.kind = kind;
  const std::size_t length = std::min(text.size(), header.failure_text.size() - 1);
  text.copy(header.failure_text.data(), length);
  header.failure_text[length] = '\0';
  header.failed.store(static_cast<std::uint32_t>(rank) + 1, std::memory_order_seq_cst);
  wake_all(job);
}

}  // namespace

bool mark_failed(const region& job, int rank, failure_kind kind, std::string_view text) noexcept {
  if (!claim_failure(job, rank)) return false;
  publish_failure(job, rank, kind, text);
  return true;
}

void mark_failed(const region& job, int rank, const std::exception_ptr& why,
                 const char* where) noexcept {
  const auto mark = [&](failure_kind kind, const char* what) {
    std::array<char, std::tuple_size_v<decltype(job_header::failure_text)>> text;
    std::snprintf(text.data(), text.size(), "%s%s", where, what);
    mark_failed(job, rank, kind, text.data());
  };
  try {
    std::rethrow_exception(why);
  } catch (const interrupted& request) {
    mark(failure_kind::other, request.what());
  } catch (const rank_failed&) {
    // The job knows already.
  } catch (const std::exception& failure) {
    mark(kind_of(failure), failure.what());
  } catch (...) {
    mark(failure_kind::other, "an exception that is no std::exception");
  }
}

void throw_marked(const region& job) {
  const std::string text = job.header().failure_text.data();
  switch (job.header().kind) {
    case failure_kind::bad_argument:
      throw bad_argument(text);
    case failure_kind::out_of_memory:
      throw out_of_memory(text);
    case failure_kind::out_of_bounds:
      throw out_of_bounds(text);
    case failure_kind::fabric_error:
      throw fabric_error(text);
    case failure_kind::other:
    case failure_kind::rank_died:
    case failure_kind::job_ended:
      break;
  }
  throw error(text);
}

bool mark_exit(const region& job, int rank, int status) noexcept {
  if (!claim_failure(job, rank)) return false;
  job.header().exit_status = status;
  publish_failure(job, rank, failure_kind::job_ended,
                  fmt::format("ended the job with status {}", status));
  return true;
}

void mark_ended(const region& job, int rank, bool all, std::string_view text) noexcept {
  const job_header& header = job.header();
  if (claim_failure(job, rank)) return publish_failure(job, rank, failure_kind::rank_died, text);
  // A rank that claims a failure publishes it at once, unless it dies in between.
  const bool claimant_ended = all || header.failure_claimed == static_cast<std::uint32_t>(rank) + 1;
  if (claimant_ended && header.failed == 0) {
    publish_failure(job, rank, failure_kind::rank_died, text);
  }
}

}  // namespace far::fabric::shm
