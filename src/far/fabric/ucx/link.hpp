#pragma once
// A rank's uplink over UCX. There is one worker per rank, under one lock. A thread that makes
// progress does so for all contexts of the rank, and puts operations that have ended into their
// inboxes. A thread of the uplink, the pump, sleeps on the worker's event descriptor while no
// context polls. So a rank that computes or sleeps still answers others where UCX does transfers in
// software.
//
// Invariants:
//   1. UCX is called only under `lock_`, so its callbacks run under it. They call no completion:
//      the contexts' threads do that for the operations in their inboxes.
//   2. A thread that pushes to an inbox or a ring, or changes a word for a waiter, rings the
//      doorbell afterwards (shm/doorbell.hpp), so no wake-up is lost.
//   3. While `attending_` is 0, the pump is awake or sleeps on the armed worker, so arrivals are
//      seen at once. Arming checks only the work that UCX already has, so a thread that later
//      leaves work to UCX wakes the pump. After an arrival, the pump stays awake for a while if a
//      context sleeps and leaves it a core. While `attending_` is above 0, a context polls; the
//      pump checks this every millisecond, because that context may be busy in a handler.
//   4. Once the job has failed, no turn calls UCX: its reads go to memory that the ranks' bodies
//      free when they unwind. A thread that is about to unwind has held the lock once since the
//      failure (stop_memory_access), so no turn that began before is still running.
//   5. The contents of a packet are checked before they are used. Packets without the job's key or
//      with inconsistent contents are dropped, and reported on standard error.

#include <ucp/api/ucp.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "far/fabric/shm/rank_fabric.hpp"
#include "far/fabric/shm/uplink.hpp"
#include "far/fabric/ucx/board.hpp"
#include "far/fabric/ucx/operation.hpp"
#include "far/fabric/ucx/packet.hpp"
#include "far/fabric/ucx/wire.hpp"

namespace far::fabric::ucx {

class link final : public shm::uplink {
 public:
  explicit link(shm::rank_fabric& home);
  ~link() override;

  [[nodiscard]] std::string_view name() const noexcept override { return "ucx"; }
  void join() override;
  void leave() override;

  void put(int context, std::span<const put_part> parts, completion* done, completion* source,
           const signal* after) override;
  void get(int context, const get_part& part, completion* done) override;
  void amo(int context, const amo_request& request, completion* done) override;
  void flush(int context, int rank, completion* done) override;
  bool send(const send_request& message, const shm::record_header& header) override;
  void reply(int context, const reply_token& token, const shm::record_header& header,
             payload inline_bytes, std::span<const gather> data) override;
  void handled(int source, message_class kind) noexcept override;
  void refuse_reply() noexcept override;

  bool progress(int context) override;
  [[nodiscard]] bool has_ended(int context) const noexcept override;
  [[nodiscard]] bool quiet(int context) const noexcept override;
  void abandon(int context) noexcept override;
  void stop_memory_access() noexcept override;
  void attend(int change, bool sleeps) noexcept override;

  [[nodiscard]] std::uint64_t extent(int rank, int segment) const noexcept override;
  void request_extents(int context, int rank, completion* done) override;
  void quiesce(context& caller) override;

 private:
  using guard = std::unique_lock<std::mutex>;
  friend struct callbacks;

  /// Max messages of one class in flight from one rank to another.
  static constexpr std::uint32_t credits = 64;

  /// The state of another rank, as known here.
  struct peer {
    ucp_ep_h endpoint = nullptr;  ///< made on first use
    ucp_rkey_h window = nullptr;
    bool emulated = false;                   ///< UCX does puts and gets there by its own packets
    std::uint64_t writes = 0;                ///< UCX puts to it,
    std::uint64_t flushed = 0;               ///< and how many of them are flushed
    packet_buffer held;                      ///< packets gathered for it (gathering.cpp)
    std::uint32_t owed = 0;                  ///< answers that its uplink still owes
    int alone = 0;                           ///< packets sent alone that have no answer,
    std::uint64_t alone_in = 0;              ///< counted since this turn
    std::uint64_t base = 0;                  ///< address of its window, in its own process
    std::uint64_t last_heard = 0;            ///< time of its last packet
    std::uint64_t pinged_at = 0;             ///< time of the last ping for its silence
    std::array<std::uint32_t, 2> credit{};   ///< messages of each class that may still be sent
    std::array<std::uint32_t, 2> handled{};  ///< its messages handled and not yet credited
  };

  [[nodiscard]] shm::rank_block& own_block() const noexcept { return home_->block(home_->rank()); }

  // link.cpp: the worker, endpoints, and the end.
  void open_worker();
  std::vector<std::byte> make_card();
  peer& reach(int rank);
  static constexpr const char* transports_hint =
      "UCX_LOG_LEVEL=info shows more, `ucx_info -d` lists the transports that UCX_TLS may name";
  [[noreturn]] void fail(const char* what, ucs_status_t status,
                         const char* cure = transports_hint) const;
  void announce_close() noexcept;
  void linger() noexcept;
  void stop_pump() noexcept;
  void close() noexcept;
  void abandon_worker() noexcept;

  // registration.cpp.
  void register_heaps();

  // failure.cpp: failures reported from and to other nodes.
  void note_broken(int rank, std::string_view why) noexcept;
  bool explain_broken();
  [[nodiscard]] int first_of_next_node() const noexcept;
  void watch_peers();
  [[nodiscard]] std::vector<int> ranks_to_notify(int failed) const;
  bool spread_failure() noexcept;
  void send_failure(int rank, int failed);
  bool note_failure(const packet_header& packet, payload body);

  // operations.cpp: records of operations in flight. All need the lock, except tell.
  operation& begin(int context, int rank, completion* done);
  /// Adds it to the ledger: the rank will answer it.
  void await_answer(operation& op);
  void enter_ledger(operation& op);
  void part_ended(operation& op);
  void complete(operation& op);
  void finish(operation& op);
  static void count(std::atomic<std::uint64_t>& counter) noexcept;
  bool answered(const packet_header& packet, payload bytes);
  void start_then(operation& first);
  bool tell(int context);

  // transfers.cpp.
  [[nodiscard]] std::uint64_t place_of(const peer& there, address a) const noexcept;
  void write(int rank, address to, const void* from, std::size_t bytes, operation* op);
  void put_by_packet(int context, std::span<const put_part> parts, completion* done,
                     completion* source, const signal* after);
  void send_behind_writes(operation& ahead, operation& op, const packet& packet);
  packet_buffer make_amo(const amo_request& request, packet_kind kind);
  void flush_endpoint(operation& op, int rank);
  bool take(ucs_status_ptr_t status, int rank) noexcept;

  // nic_atomics.cpp.
  void amo_by_nic(int context, const amo_request& request, completion* done);
  void wake_behind(operation& op);
  void run_steps(operation& op, ucp_atomic_op_t step);
  bool take_step(operation& op, ucp_atomic_op_t step);
  static bool needs_swap(operation& op) noexcept;

  // gathering.cpp: when packets are sent.
  void send(int rank, packet_buffer packet);
  void hold(int rank, packet_buffer packet);
  bool follows_others(peer& there) const noexcept;
  void strike(int rank) noexcept;
  void send_held();
  void transmit(int rank, packet_buffer packets);

  // packets.cpp, arrivals.cpp: outgoing and incoming packets.
  packet_buffer make_packet(packet_kind kind, std::size_t bytes);
  static packet_header& header_of(packet& packet) noexcept;
  void receive(payload bytes);
  bool receive_one(payload& rest, packet_header& header);
  bool accept(const packet_header& header, payload body);
  bool accept_message(const packet_header& header, payload body);
  bool accept_reply(const packet_header& header, payload body);
  bool accept_put(const packet_header& header, payload body);
  bool accept_get(const packet_header& header, payload body);
  bool accept_amo(const packet_header& header, payload body);
  bool push(const packet_header& header, payload body);
  bool scatter(std::span<const place> places, payload data);
  [[nodiscard]] bool inside(address a, std::uint64_t bytes) const noexcept;
  void answer(const packet_header& asked, packet_kind kind, std::uint64_t value, payload body);
  bool push_waiting();
  void refuse(const packet_header& header, std::size_t bytes) noexcept;
  bool may_report() noexcept;

  // progress.cpp.
  [[nodiscard]] bool is_over() const noexcept { return closed_ || home_->job_failed(); }
  static constexpr int no_rank = -1;
  bool turn(int context = no_rank);
  bool arm();
  void wake_pump() noexcept;
  [[nodiscard]] bool has_core() const noexcept;
  bool is_pump_needed();
  void pump();

  // rendezvous.cpp: quiesce and leave.
  void hand_over(context& caller);
  void rendezvous(context& caller, bool count);
  std::uint64_t step_rendezvous(std::uint64_t number, bool count);
  void start_wave(std::uint64_t number);
  void send_to_all(packet_kind kind, std::uint64_t value, std::uint64_t operation);
  bool note_rendezvous(const packet_header& packet, payload body);
  [[nodiscard]] std::array<std::uint64_t, 2> totals() const noexcept;

  shm::rank_fabric* home_;
  std::unique_ptr<board> board_;
  std::uint64_t key_;
  mutable std::mutex lock_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_mem_h window_ = nullptr;
  copied_packets copied_;
  packet_pool packets_;  // outlives the packets in peers_
  std::vector<peer> peers_;
  std::vector<int> holding_;             // ranks for which packets are held
  std::atomic<std::uint64_t> turns_{0};  // changed under the lock
  int reads_ = 0;                        // UCX gets in flight
  bool turning_ = false;                 // a turn is running, and with it callbacks
  bool armed_ = false;                   // the pump sleeps on the worker, or is about to
  std::deque<operation> table_;
  std::vector<std::uint32_t> free_;                        // free slots of table_, under the lock
  std::atomic<operation*> retired_{nullptr};               // processed; move to free_
  std::vector<context_state> states_;                      // by context
  std::unique_ptr<std::atomic<std::uint64_t>[]> extents_;  // by rank and segment
  struct waiting_message {
    packet_header packet;
    std::vector<std::byte> body;
  };
  std::deque<waiting_message> waiting_;  // messages for which the ring had no space
  std::atomic<bool> credit_wanted_{false};
  bool arrivals_ = false;  // since the last turn
  int refused_ = 0;

  /// The rendezvous in progress. Rank 0 leads it; members that only the leader uses need the lock.
  struct rendezvous_state {
    std::atomic<std::uint64_t> own{0};   // number of rendezvous that this rank has reached
    std::atomic<std::uint64_t> over{0};  // number of rendezvous that are over
    std::atomic<bool> news{false};
    std::uint64_t arrivals = 0;  // of all ranks, at all rendezvous
    bool counting = false;       // a wave is in flight
    std::uint64_t wave = 0;      // its number
    int counted = 0;             // ranks that have answered it
    std::array<std::uint64_t, 2> sum{};
    std::uint64_t handled_before = never;  // total of the wave before
    std::uint64_t next_wave_at = 0;
    std::uint64_t pause = 0;
  } rendezvous_;

  std::thread pump_;
  std::atomic<bool> stops_{false};
  std::atomic<bool> leaving_{false};  // broken connections are no failure any more
  bool flushed_ = false;              // under the lock: none of our operations is in flight
  bool closed_ = false;               // under the lock: turns do not call UCX any more
  std::uint64_t seen_turns_ = 0;      // pump only: value of turns_ at its last check,
  int left_alone_ = 0;                // and its checks in a row that found new turns
  std::atomic<int> attending_{0};
  std::atomic<int> asleep_{0};
  std::mutex park_lock_;
  std::condition_variable park_;
  int events_ = -1;      // the worker's
  int wake_event_ = -1;  // wakes the pump
  std::string broken_;   // under the lock: how a connection broke, for the job's failure text
  int broken_rank_ = -1;
  std::uint64_t broken_at_ = 0;
  std::uint64_t peer_timeout_ns_;  // a rank that is silent for longer has failed; 0: no limit
  int watched_ = -1;               // a rank to watch without any other communication, or -1
  std::uint64_t watched_at_ = 0;
};

}  // namespace far::fabric::ucx
