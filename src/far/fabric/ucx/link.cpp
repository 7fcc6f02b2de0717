#include "far/fabric/ucx/link.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/threads.hpp"
#include "far/fabric/ucx/callbacks.hpp"
#include "far/fabric/ucx/interfaces.hpp"

namespace far::fabric::ucx {
namespace {

/// The start of a card; the worker's address and the window's key follow.
struct card_header {
  std::uint64_t static_fingerprint = 0;
  std::uint64_t base = 0;
  std::uint32_t address_bytes = 0;
  std::uint32_t key_bytes = 0;
};

/// Whether UCX emulates puts and gets of this endpoint by packets, which the target's processor
/// answers. UCX says so only in printed text, which lists `rma_bw` alone if no NIC does puts or
/// gets. If another version prints something else, this returns false, and UCX does puts and gets.
bool is_emulated(ucp_ep_h endpoint) {
  char* text = nullptr;
  std::size_t bytes = 0;
  std::FILE* const said = open_memstream(&text, &bytes);
  if (said == nullptr) return false;
  ucp_ep_print_info(endpoint, said);
  std::fclose(said);
  const std::string_view lines(text, bytes);
  const bool result = lines.find("rma_bw: mds") != std::string_view::npos &&
                      lines.find(" get[") == std::string_view::npos;
  std::free(text);
  return result;
}

}  // namespace

link::link(shm::rank_fabric& home)
    : home_(&home),
      board_(make_board(home)),
      key_(home.job().header().key),
      peers_(static_cast<std::size_t>(home.size())),
      states_(shm::all_contexts),
      extents_(std::make_unique<std::atomic<std::uint64_t>[]>(
          static_cast<std::size_t>(home.size()) * address::max_segments)),
      peer_timeout_ns_(board_->is_of_one_machine() ? 0 : shm::peer_timeout_s() * 1'000'000'000) {
  for (peer& p : peers_) p.credit.fill(credits);
  try {
    open_worker();
  } catch (...) {
    close();
    throw;
  }
}

link::~link() { close(); }

void link::fail(const char* what, ucs_status_t status, const char* cure) const {
  throw fabric_error(
      fmt::format("ucx: rank {} {}: {}; {}", home_->rank(), what, ucs_status_string(status), cure));
}

void link::open_worker() {
  ucp_config_t* config = nullptr;
  ucs_status_t status = ucp_config_read(nullptr, nullptr, &config);
  if (status != UCS_OK) fail("cannot read UCX's settings", status);
  // Only ranks of its job need to reach a rank: on its machine, or on the launcher's network.
  if (std::getenv("UCX_NET_DEVICES") == nullptr) {
    const std::string devices = board_->is_of_one_machine() ? "lo" : devices_towards_launcher();
    if (!devices.empty()) ucp_config_modify(config, "NET_DEVICES", devices.c_str());
  }
  ucp_params_t params{};
  params.field_mask =
      UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS | UCP_PARAM_FIELD_NAME;
  params.features =
      UCP_FEATURE_RMA | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64;
  params.estimated_num_eps = static_cast<std::size_t>(home_->size());
  params.name = "libfar";
  status = ucp_init(&params, config, &context_);
  ucp_config_release(config);
  if (status != UCS_OK) fail("cannot start UCX", status);

  ucp_worker_params_t worker{};
  worker.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  status = ucp_worker_create(context_, &worker, &worker_);
  if (status != UCS_OK) fail("cannot make the worker", status);
  status = ucp_worker_get_efd(worker_, &events_);
  if (status != UCS_OK) fail("cannot wait for events", status);

  ucp_am_handler_param_t handler{};
  handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                       UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  handler.id = packet_id;
  handler.flags = UCP_AM_FLAG_WHOLE_MSG;
  handler.cb = &callbacks::arrived;
  handler.arg = this;
  status = ucp_worker_set_am_recv_handler(worker_, &handler);
  if (status != UCS_OK) fail("cannot set the message handler", status);
  status = copied_.open();
  if (status != UCS_OK) fail("cannot describe packets", status);

  register_heaps();
}

/// Makes the card that other ranks need to reach this one.
std::vector<std::byte> link::make_card() {
  ucp_address_t* own_address = nullptr;
  std::size_t address_bytes = 0;
  ucs_status_t status = ucp_worker_get_address(worker_, &own_address, &address_bytes);
  if (status != UCS_OK) fail("cannot get the worker's address", status);
  void* own_key = nullptr;
  std::size_t key_bytes = 0;
  status = ucp_rkey_pack(context_, window_, &own_key, &key_bytes);
  if (status != UCS_OK) {
    ucp_worker_release_address(worker_, own_address);
    fail("cannot pack the key of the heaps", status);
  }
  card_header header;
  header.static_fingerprint = home_->static_fingerprint();
  header.base =
      reinterpret_cast<std::uint64_t>(home_->local(address(home_->rank(), symmetric_segment, 0)));
  header.address_bytes = static_cast<std::uint32_t>(address_bytes);
  header.key_bytes = static_cast<std::uint32_t>(key_bytes);
  std::vector<std::byte> card(sizeof(header) + address_bytes + key_bytes);
  std::memcpy(card.data(), &header, sizeof(header));
  std::memcpy(card.data() + sizeof(header), own_address, address_bytes);
  std::memcpy(card.data() + sizeof(header) + address_bytes, own_key, key_bytes);
  ucp_rkey_buffer_release(own_key);
  ucp_worker_release_address(worker_, own_address);
  return card;
}

void link::join() {
  wake_event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_event_ < 0) throw fabric_error("ucx: cannot make an event descriptor");
  board_->exchange(make_card());
  {
    const guard locked(lock_);
    watched_ = first_of_next_node();
  }
  // Not before the exchange: ranks that have joined may send requests, and answers need all cards.
  pump_ = base::start_thread(fmt::format("the thread that serves rank {}'s network", home_->rank()),
                             [this] { pump(); });
}

link::peer& link::reach(int rank) {
  peer& result = peers_[static_cast<std::size_t>(rank)];
  if (result.endpoint != nullptr) return result;
  const std::vector<std::byte> card = board_->card(rank);
  card_header header;
  if (card.size() >= sizeof(header)) std::memcpy(&header, card.data(), sizeof(header));
  const std::byte* const rest = card.data() + sizeof(header);
  if (sizeof(header) + header.address_bytes + header.key_bytes != card.size()) {
    throw fabric_error(fmt::format("ucx: the card of rank {} is inconsistent", rank));
  }
  if (header.static_fingerprint != home_->static_fingerprint()) {
    throw fabric_error(fmt::format(shm::other_static_data, rank));
  }

  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLER |
                      UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
  params.address = reinterpret_cast<const ucp_address_t*>(rest);
  // Shared memory cannot detect the death of the other end; on one machine a launcher detects it.
  params.err_mode =
      board_->is_of_one_machine() ? UCP_ERR_HANDLING_MODE_NONE : UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler.cb = &callbacks::broken;
  params.err_handler.arg = this;
  ucs_status_t status = ucp_ep_create(worker_, &params, &result.endpoint);
  if (status != UCS_OK) fail(fmt::format("cannot reach rank {}", rank).c_str(), status);
  status = ucp_ep_rkey_unpack(result.endpoint, rest + header.address_bytes, &result.window);
  if (status != UCS_OK) fail(fmt::format("cannot use the heaps of rank {}", rank).c_str(), status);
  result.base = header.base;
  result.emulated = is_emulated(result.endpoint);
  result.last_heard = home_->now();
  wake_pump();  // to make the connection
  return result;
}

/// Flushes outgoing packets, for a limited time, because closing would drop them. If UCX still
/// reads into memory that the program may have freed, sends only what can be sent at once.
void link::announce_close() noexcept {
  constexpr std::chrono::seconds longest{1};
  send_held();
  if (reads_ > 0) return;
  const ucp_request_param_t param{};
  const ucs_status_ptr_t flushed = ucp_worker_flush_nbx(worker_, &param);
  if (!UCS_PTR_IS_PTR(flushed)) return;
  const auto end = std::chrono::steady_clock::now() + longest;
  while (ucp_request_check_status(flushed) == UCS_INPROGRESS &&
         std::chrono::steady_clock::now() < end) {
    ucp_worker_progress(worker_);
  }
  ucp_request_free(flushed);
}

/// Makes progress for a while at the end of a job that has failed. Other ranks may be connecting to
/// this one to report the failure, and the TCP of UCX 1.13 fails an assertion if the other end
/// closes meanwhile. No-op if UCX still reads into memory that the program may have freed.
void link::linger() noexcept {
  constexpr std::chrono::milliseconds time{100};
  constexpr std::chrono::microseconds between_polls{200};
  if (reads_ > 0) return;
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    if (ucp_worker_progress(worker_) == 0) std::this_thread::sleep_for(between_polls);
  }
}

void link::stop_pump() noexcept {
  if (!pump_.joinable()) return;
  stops_.store(true, std::memory_order_seq_cst);
  eventfd_write(wake_event_, 1);
  { const std::scoped_lock parked(park_lock_); }
  park_.notify_all();
  pump_.join();
}

/// Leaves the worker to the end of the process, after a failure. Destroying a worker while a
/// connection is being made, or after its other end has closed, fails an assertion in the TCP of
/// UCX 1.13.
void link::abandon_worker() noexcept {
  static std::atomic<ucp_worker_h> left_behind{nullptr};  // so that leak checkers find it
  left_behind = worker_;
  if (wake_event_ >= 0) ::close(wake_event_);
}

void link::close() noexcept {
  stop_pump();  // from here on this thread is alone with the worker
  leaving_ = true;
  if (worker_ != nullptr && home_->job_failed()) {
    if (!closed_ && spread_failure()) announce_close();
    if (!board_->is_of_one_machine()) linger();
    return abandon_worker();
  }
  for (peer& p : peers_) {
    if (p.window != nullptr) ucp_rkey_destroy(p.window);
  }
  if (window_ != nullptr) ucp_mem_unmap(context_, window_);
  if (worker_ != nullptr) ucp_worker_destroy(worker_);  // and its endpoints
  if (context_ != nullptr) ucp_cleanup(context_);
  if (wake_event_ >= 0) ::close(wake_event_);
}

std::uint64_t link::extent(int rank, int segment) const noexcept {
  return extents_[static_cast<std::size_t>(rank) * address::max_segments +
                  static_cast<std::size_t>(segment)]
      .load(std::memory_order_relaxed);
}

}  // namespace far::fabric::ucx

extern "C" [[gnu::visibility("default")]] far::fabric::shm::uplink* far_make_uplink(
    far::fabric::shm::rank_fabric& home) {
  return new far::fabric::ucx::link(home);
}
