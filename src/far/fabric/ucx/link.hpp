#pragma once
// A rank's uplink over UCX. One worker per rank, under one lock: whoever makes progress does so
// for all contexts of the rank, and leaves what has ended in their inboxes. A thread of its own
// sleeps on the worker's event descriptor while no context looks after it, so that a rank that
// computes or sleeps still answers others where UCX does transfers in software.
//
// Invariants:
//   1. UCX is called under `lock_` only, and its callbacks run under it. They call nobody's
//      completion: those belong to the contexts' threads, which find them in their inboxes.
//   2. Who pushes to an inbox, to a ring or changes a word for a waiter rings its bell afterwards
//      (shm/bell.hpp), so no sleeper misses what has come.
//   3. While `attending_` is 0, the pump is awake or sleeps on the armed worker: what comes
//      is seen at once. Arming looks at what UCX has to do, and not at what it is given later, so
//      who leaves work to UCX while the pump sleeps rouses it. For a while after something came it
//      stays awake, on the core of a context that sleeps. Else some context polls; the pump looks
//      every millisecond whether it does, for that context may be busy in a handler.
//   4. UCX works for a job that has not failed, and no longer: what it reads is on its way into
//      memory that the ranks' bodies free when they unwind. Who is about to unwind has held the
//      lock once since the job failed, so that no turn is under way that had begun before.
//   5. What arrives in a packet is checked before it is believed; packets that lack the job's key
//      or do not add up are dropped, with a line on standard error.

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
  void stand_still() noexcept override;
  void attend(int change, bool sleeps) noexcept override;

  [[nodiscard]] std::uint64_t extent(int rank, int segment) const noexcept override;
  void ask_extents(int context, int rank, completion* done) override;
  void quiesce(context& caller) override;

 private:
  using guard = std::unique_lock<std::mutex>;
  friend struct callbacks;

  /// Messages of one class that a rank may have under way to another.
  static constexpr std::uint32_t credits = 64;

  /// What is known of another rank.
  struct peer {
    ucp_ep_h endpoint = nullptr;  ///< made on first use
    ucp_rkey_h window = nullptr;
    bool emulated = false;                   ///< UCX puts and gets there by packets of its own
    std::uint64_t writes = 0;                ///< UCX's puts that have gone there,
    std::uint64_t flushed = 0;               ///< and how many of them a flush has seen to
    packet_buffer held;                      ///< packets that go out together (gathering.cpp)
    std::uint32_t owed = 0;                  ///< answers of its uplink that are on their way
    int alone = 0;                           ///< packets that went out alone and unanswered
    std::uint64_t alone_in = 0;              ///< between this turn and the next
    std::uint64_t base = 0;                  ///< of its window, in its own process
    std::uint64_t heard_at = 0;              ///< when a packet of it came last
    std::uint64_t asked_at = 0;              ///< when it was asked for one
    std::array<std::uint32_t, 2> credit{};   ///< messages of each class that may go out
    std::array<std::uint32_t, 2> handled{};  ///< of its messages, and not told yet
  };

  [[nodiscard]] shm::rank_block& own_block() const noexcept { return home_->block(home_->rank()); }

  // link.cpp: what it is made of.
  void open_worker();
  std::vector<std::byte> make_card();
  peer& reach(int rank);
  static constexpr const char* look_at_transports =
      "UCX_LOG_LEVEL=info tells more, `ucx_info -d` lists the transports that UCX_TLS may name";
  [[noreturn]] void fail(const char* what, ucs_status_t status,
                         const char* cure = look_at_transports) const;
  void say_farewell() noexcept;
  void linger() noexcept;
  void stop_pump() noexcept;
  void close() noexcept;
  void abandon_worker() noexcept;

  // registration.cpp.
  void register_heaps();

  // failure.cpp: news of it, from and for other nodes.
  void note_broken(int rank, std::string_view why) noexcept;
  bool explain_broken();
  [[nodiscard]] int first_of_next_node() const noexcept;
  void watch_peers();
  [[nodiscard]] std::vector<int> to_be_told(int failed) const;
  bool spread_failure() noexcept;
  void tell_failure(int rank, int failed);
  bool note_failure(const packet_header& packet, payload body);

  // operations.cpp: records of what is under way. All under the lock, but for tell.
  operation& begin(int context, int rank, completion* done);
  /// Counts it in the ledger: the rank will answer it.
  void await_answer(operation& op);
  void part_ended(operation& op);
  void settle(operation& op);
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

  // gathering.cpp: when packets go out.
  void send(int rank, packet_buffer packet);
  void hold(int rank, packet_buffer packet);
  bool follows_others(peer& there) const noexcept;
  void strike(int rank) noexcept;
  void send_held();
  void transmit(int rank, packet_buffer packets);

  // packets.cpp, arrivals.cpp: packets that go and that come.
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
  bool is_worth_a_line() noexcept;

  // progress.cpp.
  [[nodiscard]] bool is_over() const noexcept { return closed_ || home_->job_failed(); }
  static constexpr int nobody = -1;
  bool turn(int context = nobody);
  bool arm();
  void rouse_pump() noexcept;
  [[nodiscard]] bool has_core() const noexcept;
  bool is_pump_needed();
  void pump();

  // meeting.cpp: quiesce and leave.
  void hand_over(context& caller);
  void meet(context& caller, bool count);
  std::uint64_t step_meeting(std::uint64_t number, bool count);
  void start_wave(std::uint64_t number);
  void tell_all(packet_kind kind, std::uint64_t value, std::uint64_t operation);
  bool note_meeting(const packet_header& packet, payload body);
  [[nodiscard]] std::array<std::uint64_t, 2> totals() const noexcept;

  shm::rank_fabric* home_;
  std::unique_ptr<board> board_;
  std::uint64_t key_;
  mutable std::mutex lock_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_mem_h window_ = nullptr;
  copied_packets copied_;
  packet_pool packets_;  // outlives what peers_ holds of it
  std::vector<peer> peers_;
  std::vector<int> holding_;             // ranks for which packets are gathered
  std::atomic<std::uint64_t> turns_{0};  // changed under the lock
  int reads_ = 0;                        // UCX's gets that are under way
  bool turning_ = false;                 // UCX is at work, and its callbacks run
  bool armed_ = false;                   // the pump sleeps on the worker, or is about to
  std::deque<operation> table_;
  std::vector<std::uint32_t> free_;                        // places in the table, under the lock
  std::atomic<operation*> retired_{nullptr};               // told: to be free again
  std::vector<context_state> states_;                      // by context
  std::unique_ptr<std::atomic<std::uint64_t>[]> extents_;  // by rank and segment
  struct waiting_message {
    packet_header packet;
    std::vector<std::byte> body;
  };
  std::deque<waiting_message> waiting_;  // messages for which the ring had no room
  std::atomic<bool> credit_wanted_{false};
  bool arrivals_ = false;  // since the last turn
  int refused_ = 0;

  /// The meeting that is under way. Rank 0 leads it; what only the leader uses is under the lock.
  struct meeting_state {
    std::atomic<std::uint64_t> own{0};   // how many this rank has come to
    std::atomic<std::uint64_t> over{0};  // how many are over
    std::atomic<bool> news{false};
    std::uint64_t arrivals = 0;  // of all ranks, at all meetings
    bool counting = false;       // a wave is under way
    std::uint64_t wave = 0;      // its number
    int counted = 0;             // ranks that have answered
    std::array<std::uint64_t, 2> sum{};
    std::uint64_t handled_before = never;  // by the wave before
    std::uint64_t next_wave_at = 0;
    std::uint64_t pause = 0;
  } meeting_;

  std::thread pump_;
  std::atomic<bool> stops_{false};
  std::atomic<bool> leaving_{false};  // what breaks now breaks for no reason to tell of
  bool flushed_ = false;              // under the lock: of ours, nothing is under way any more,
  bool closed_ = false;               // and UCX is left alone from here on
  std::uint64_t seen_turns_ = 0;  // the pump's own: how many there had been when it looked last,
  int left_alone_ = 0;            // and its looks since it had a turn
  std::atomic<int> attending_{0};
  std::atomic<int> asleep_{0};
  std::mutex park_lock_;
  std::condition_variable park_;
  int events_ = -1;      // the worker's
  int wake_event_ = -1;  // ends the sleep of the pump
  std::string broken_;   // under the lock: a connection that broke, until the job is told
  int broken_rank_ = -1;
  std::uint64_t broken_at_ = 0;
  std::uint64_t peer_timeout_ns_;  // a rank that is silent for longer has failed; 0: never
  int watched_ = -1;               // a rank to watch before it is spoken to, or none
  std::uint64_t watched_at_ = 0;
};

}  // namespace far::fabric::ucx
