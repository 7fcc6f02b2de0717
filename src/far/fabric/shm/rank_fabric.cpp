#include "far/fabric/shm/rank_fabric.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <chrono>

#include <fmt/format.h>

#include "far/base/cores.hpp"
#include "far/base/error.hpp"
#include "far/base/threads.hpp"
#include "far/fabric/fork.hpp"
#include "far/fabric/handlers.hpp"
#include "far/fabric/shm/doorbell.hpp"
#include "far/fabric/shm/lane.hpp"
#include "far/fabric/shm/rank_process.hpp"

namespace far::fabric::shm {

namespace {

/// Notes where the calling thread may run.
void add_processors(machine_load& load) noexcept {
  const base::processor_set own = base::own_processors();
  for (std::size_t i = 0; i < own.words.size(); ++i) {
    if (own.words[i] != 0) load.processors[i].fetch_or(own.words[i], std::memory_order_relaxed);
  }
}

}  // namespace

rank_fabric::rank_fabric(region& job, int rank, bool static_data)
    : fabric(rank, job.job_ranks()),
      job_(&job),
      job_number_(job.rank(rank).jobs.load(std::memory_order_relaxed) + 1),
      // The value is final: no quiesce of the next job can end without this rank.
      quiesces_(job.header().quiesce_done.load(std::memory_order_seq_cst)) {
  add_processors(job.load());
  count_cores();
  layout_ = job.layout();
  own_ = job.window(rank);
  if (static_data || job.shape().static_data != 0) share_static_data();
  if (job.shape().ranks_per_node > 0) uplink_ = open_uplink(*this);
  coherent_ = true;
  for (int r = 0; r < size(); ++r) {
    const bool same_node = node_of(r) == node_of(rank);
    window_table_.push_back(same_node ? job.window(r) : nullptr);
    coherent_ &= same_node;
  }
  windows_ = window_table_.data();
  for (int i = 0; i < lanes(); ++i) lanes_.push_back(std::make_unique<lane>(*this, i));
}

rank_fabric::~rank_fabric() { end_service(); }

/// Counts the cores that all ranks of the machine may use which have called add_processors.
void rank_fabric::count_cores() {
  static const double quota = base::processor_quota();
  base::processor_set all;
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    all.words[i] = job_->load().processors[i].load(std::memory_order_relaxed);
  }
  cores_ = base::usable_cores(all.count(), quota);
}

/// Gives the end of the local segment to the static segment: the job's memory was made before the
/// size of any executable's static data was known.
void rank_fabric::share_static_data() {
  constexpr std::uint64_t least_local = 1 << 20;
  static_image image = find_static_image();
  const std::uint64_t bytes = static_data_offset + image.bytes();
  std::uint64_t& local_bytes = layout_.bytes[local_segment];
  if (local_bytes < least_local + bytes) {
    throw bad_argument(fmt::format(
        "the executable has {} bytes of static data, which take their memory from the local heap, "
        "of {} bytes: raise FAR_LOCAL_HEAP to at least {}",
        image.bytes(), local_bytes, least_local + bytes));
  }
  local_bytes -= bytes;
  layout_.begin[static_segment] = layout_.begin[local_segment] + local_bytes;
  layout_.bytes[static_segment] = bytes;
  static_fingerprint_ = image.fingerprint | 1;
  const std::byte* const begin = image.pieces.front().begin;
  std::byte* const place = own_ + layout_.begin[static_segment] + static_data_offset;
  statics_.emplace(*job_, place, std::move(image));
  static_data_ = begin;
  block(rank()).extents[static_segment].store(bytes, std::memory_order_release);
}

/// All ranks of a job join before one of them can join the next, so the word changes its job only
/// when no rank compares it any more.
void rank_fabric::check_static_data() const {
  constexpr int job_bit = 48;
  const std::uint64_t job = static_cast<std::uint64_t>(job_number_) << job_bit;
  const std::uint64_t mine = job | static_fingerprint_ >> (64 - job_bit);
  std::atomic<std::uint64_t>& first = job_->header().static_image;
  std::uint64_t seen = first.load();
  while (seen >> job_bit != job >> job_bit) {
    if (first.compare_exchange_weak(seen, mine)) return;
  }
  if (seen != mine) throw fabric_error(fmt::format(other_static_data, rank()));
}

bool rank_fabric::native(amo_op op, int, amo_domain domain) const noexcept {
  const bool bits = op == amo_op::bit_and || op == amo_op::bit_or || op == amo_op::bit_xor;
  return op != amo_op::min && op != amo_op::max && (domain == amo_domain::cpu || !bits);
}

std::uint64_t rank_fabric::extent(int rank, int segment) const noexcept {
  if (!near(rank)) return layout_.bytes[static_cast<std::size_t>(segment)];
  return block(rank).extents[static_cast<std::size_t>(segment)].load(std::memory_order_acquire);
}

void rank_fabric::set_extent(int segment, std::uint64_t bytes) {
  block(rank()).extents[static_cast<std::size_t>(segment)].store(bytes, std::memory_order_release);
  madvise(local(address(rank(), segment, 0)), bytes, MADV_DODUMP);
}

std::uint64_t rank_fabric::now() const noexcept {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    std::chrono::nanoseconds(1)) -
         job_->header().start_ns.load(std::memory_order_relaxed);
}

void rank_fabric::check_job() const {
  const std::uint32_t failed = job_->header().failed.load(std::memory_order_seq_cst);
  check_no_fork();
  if (failed == 0 && !is_interrupted()) return;
  note_failure();
  if (uplink_ != nullptr)
    uplink_->stop_memory_access();  // waiting callers release memory that it writes to
  if (failed == 0) throw_interrupted(rank());
  if (job_->header().kind == failure_kind::job_ended) end_process(job_->header().exit_status);
  const int who = static_cast<int>(failed) - 1;
  throw rank_failed(who,
                    fmt::format("rank {} failed: {}", who, job_->header().failure_text.data()));
}

void rank_fabric::fail_job(const std::exception_ptr& why) noexcept {
  mark_failed(*job_, rank(), why);
}

std::unique_ptr<context> rank_fabric::open_context() {
  auto result = open(false);
  if (!lanes_open_.exchange(true, std::memory_order_acq_rel)) {
    wake_rank(block(rank()));  // the service thread may have found the lanes closed
  }
  return result;
}

std::unique_ptr<rank_context> rank_fabric::open(bool for_service) {
  int index = 0;
  {
    const std::scoped_lock lock(mutex_);
    index = std::countr_one(open_contexts_);
    if (index >= max_contexts()) {
      throw bad_argument(fmt::format("all {} contexts of rank {} are in use: raise FAR_CONTEXTS",
                                     max_contexts(), rank()));
    }
    open_contexts_ |= std::uint64_t{1} << index;
  }
  if (!for_service) job_->load().users.fetch_add(1, std::memory_order_relaxed);
  return std::make_unique<rank_context>(*this, index, for_service);
}

void rank_fabric::close_context(const rank_context& closing, bool again) noexcept {
  if (!closing.is_service()) job_->load().users.fetch_sub(1, std::memory_order_relaxed);
  if (!again) return;
  const std::scoped_lock lock(mutex_);
  open_contexts_ &= ~(std::uint64_t{1} << closing.index());
}

void rank_fabric::run_threads(context& caller, int n, base::function_ref<void(int)> body) {
  std::atomic<int> running{n};
  std::mutex first_mutex;
  std::exception_ptr first;
  base::thread_group threads(n, fmt::format("a thread of rank {},", rank()), [&](int i) {
    try {
      body(i);
    } catch (...) {
      const std::scoped_lock lock(first_mutex);
      if (!first) first = std::current_exception();
    }
    running.fetch_sub(1, std::memory_order_seq_cst);
    wake_context(block(rank()), caller.index());
  });
  // Meanwhile the caller runs handlers. It does not count as a user, so that the threads may spin.
  // A failure of the job ends the threads, so it is enough to join them.
  job_->load().users.fetch_sub(1, std::memory_order_relaxed);
  try {
    caller.wait([&] { return running.load(std::memory_order_seq_cst) == 0; }, never,
                {"threads", rank(), {}});
  } catch (const rank_failed&) {
    threads.join();
    if (!first) first = std::current_exception();
  }
  threads.join();
  job_->load().users.fetch_add(1, std::memory_order_relaxed);
  if (first) std::rethrow_exception(first);
}

void rank_fabric::start_service() {
  if (service_users_ > 0) {
    ++service_users_;
    return;
  }
  service_stops_ = false;
  auto context = open(true);
  service_ = base::start_thread(
      fmt::format("the service thread of rank {}", rank()), [this, own = context.get()] {
        try {
          own->wait([this] { return service_stops_.load(std::memory_order_seq_cst); }, never,
                    {"messages (service thread)", -1, {}});
        } catch (const rank_failed&) {
          // The job has failed; the rank's own threads report it.
        }
      });
  service_context_ = std::move(context);
  block(rank()).service.store(std::uint64_t{1} << service_context_->index(),
                              std::memory_order_relaxed);
  service_users_ = 1;
}

void rank_fabric::end_service() {
  service_users_ = std::min(service_users_, 1);
  stop_service();
}
void rank_fabric::stop_service() {
  if (service_users_ == 0 || --service_users_ > 0) return;
  service_stops_.store(true, std::memory_order_seq_cst);
  wake_context(block(rank()), service_context_->index());
  service_.join();
  block(rank()).service.store(0, std::memory_order_relaxed);  // before the index is used again
  service_context_.reset();
}

void rank_fabric::end_handlers() {
  end_service();
  lanes_open_.store(false, std::memory_order_release);
  if (uplink_ == nullptr) return;
  for (int i = 0; i < lanes(); ++i) uplink_->abandon(far::fabric::max_contexts + i);
}

void rank_fabric::join() {
  job_header& header = job_->header();
  block(rank()).pid.store(getpid(), std::memory_order_relaxed);
  std::uint64_t first = 0;
  const std::uint64_t mine = handlers_fingerprint();
  if (header.fingerprint.compare_exchange_strong(first, mine)) {
    header.fingerprint_rank.store(rank());
  } else if (first != mine) {
    throw fabric_error(fmt::format(
        "rank {} is of a different build than the ranks that joined before it: start all ranks "
        "from the same files ({})",
        rank(), handlers_description()));
  }
  check_static_data();
  block(rank()).stage.store(rank_stage::joined, std::memory_order_release);
  const std::int32_t joined = header.joined.fetch_add(1, std::memory_order_seq_cst) + 1;
  // In the total order, either this rank sees `departed` or the launcher sees `joined`.
  const std::int32_t departed = header.departed.load(std::memory_order_seq_cst);
  if (departed != 0 && block(departed - 1).jobs.load(std::memory_order_relaxed) < job_number_) {
    mark_ended(*job_, departed - 1, false, left_without_joining);
  }
  const int all = job_number_ * job_->shape().ranks;
  // Only the last, because a rank that touches the blocks of all maps a page of each: for hundreds
  // of processes the tables of these pages would take gigabytes.
  if (joined >= all) wake_all(*job_);
  {
    const auto context = open(false);
    context->wait([&] { return header.joined.load(std::memory_order_seq_cst) >= all; }, never,
                  {"all ranks to join", -1, {}});
  }
  if (uplink_ != nullptr) uplink_->join();
  count_cores();  // the ranks of the machine have joined, so it is of all
}

void rank_fabric::leave() {
  lanes_open_.store(false, std::memory_order_release);  // objects of handlers are being destroyed
  if (uplink_ != nullptr) uplink_->leave();
  statics_.reset();
  block(rank()).jobs.store(job_number_, std::memory_order_relaxed);
  block(rank()).stage.store(rank_stage::finished, std::memory_order_release);
  job_->header().finished.fetch_add(1, std::memory_order_seq_cst);
}

std::unique_ptr<context> rank_fabric::open_quietly() { return open(false); }

}  // namespace far::fabric::shm
