#pragma once
// One thread's access to an object space, without the types of C++: places, type descriptors,
// monitors. object_view is the typed interface above.
//
// A thread synchronizes in two steps. `publish` makes what it has changed visible: differences go
// to the homes, and stale copies that ranks keep are revoked. `refresh` forgets the copies that may
// be stale. Entering a monitor is publish, enter, refresh; leaving it is publish, exit.
//
// Threads: belongs to the thread of its world.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "far/base/function_ref.hpp"
#include "far/base/unwinding.hpp"
#include "far/fabric/handlers.hpp"
#include "far/memory/ptr.hpp"
#include "far/object/collections.hpp"
#include "far/object/heap/region.hpp"
#include "far/object/messages.hpp"
#include "far/object/monitor/monitor_table.hpp"
#include "far/object/thread_record.hpp"
#include "far/object/type.hpp"
#include "far/world/world.hpp"

namespace far::objects {

class change_stream;
struct part;
struct copy;
struct dropped_copy;
struct region_account;

class thread_access {
 public:
  thread_access(const far::world& world, std::shared_ptr<part> of);
  ~thread_access();
  thread_access(const thread_access&) = delete;
  thread_access& operator=(const thread_access&) = delete;

  [[nodiscard]] const far::world& world() const noexcept { return world_; }
  [[nodiscard]] const std::shared_ptr<part>& shared_part() const noexcept { return part_; }

  // -- objects

  /// Makes an object of this rank, or an array of `count`; its data are zero.
  /// `values`: what will be written to the object, or null; what they refer to is not collected
  /// meanwhile. Errors: out_of_memory.
  place make(const type_descriptor& type, std::uint64_t count, bool is_array,
             const std::byte* values = nullptr);
  /// A region's data, if the thread may read (write) them without asking; else null. Successive
  /// places are mostly of one rank: then the address does not depend on a load.
  [[nodiscard, gnu::always_inline]] std::byte* readable(place at) noexcept {
    if (at.bits() >> place::offset_bits != slot_ && !select(at)) [[unlikely]]
      return nullptr;
    const std::uint64_t offset = at.offset();
    if (!reach_.may_read(offset)) [[unlikely]]
      return nullptr;
    return reach_.base + offset;
  }
  [[nodiscard, gnu::always_inline]] std::byte* writable(place at) noexcept {
    if (at.bits() >> place::offset_bits != slot_ && !select(at)) [[unlikely]]
      return nullptr;
    const std::uint64_t offset = at.offset();
    if (!reach_.may_write(offset)) [[unlikely]]
      return nullptr;
    return reach_.base + offset;
  }
  /// The slow path: gets the right, fetching the region if necessary.
  /// Errors: bad_argument for places where there is no such object; out_of_memory; rank_failed.
  [[gnu::noinline, gnu::cold]] std::byte* get_readable(place at, const type_descriptor& type,
                                                       bool is_array = false);
  [[gnu::noinline, gnu::cold]] std::byte* get_writable(place at, const type_descriptor& type,
                                                       bool is_array = false);

  /// Element i's region and number. Errors: bad_argument for an invalid index.
  [[nodiscard]] std::byte* element(place array, std::uint64_t i, const type_descriptor& type,
                                   bool writes);
  /// Elements from i to the end of its region.
  struct elements {
    std::byte* first;
    std::uint64_t count;
  };
  [[nodiscard]] elements elements_from(place array, std::uint64_t i, const type_descriptor& type,
                                       bool writes);
  [[nodiscard]] std::uint64_t length(place array, const type_descriptor& type);

  /// The word at an offset in an object, at its home.
  /// Errors: bad_argument for places where there is no object.
  [[nodiscard]] ptr<std::byte> at_home(place object, std::size_t offset) const;

  /// The type of an object, or of an array's elements, of which the thread knows only the place. If
  /// `guess` is right, the thread may then read the object without asking; it may be null.
  /// Cost: nothing more than reading it if the guess is right, or the rank has a copy. Else a
  /// message to the home and one back, and twice that for a type that this rank has never met.
  /// Errors: bad_argument for places where there is no object.
  /// Checked by: object_external_test.types_are_found_by_place
  [[nodiscard]] const type_descriptor& type_of(place at, const type_descriptor* guess = nullptr);

  // -- protocols

  void set_protocol(place at, object_protocol protocol);
  [[nodiscard]] std::string explain(place at);

  // -- synchronization

  void publish();
  /// A safe point, and forget_stale.
  void refresh();
  void safe_point();
  /// Forgets the copies that may be stale. No safe point: what the thread has just read stays.
  void forget_stale();
  /// To be called in a loop that waits for others without sleeping. Errors: rank_failed.
  void let_others_run() const;

  void enter(place at);
  [[nodiscard]] bool try_enter(place at);
  void exit(place at);
  /// False if the deadline has passed first, or `interrupted`, which may be null, has become true;
  /// whoever sets that then calls wake_waits.
  /// Checked by: object_external_test.waits_are_interrupted
  bool wait(place at, fabric::deadline_ns deadline, const std::atomic<bool>* interrupted = nullptr);
  /// The waits of this rank's threads look whether they are interrupted.
  void wake_waits() const;
  void notify(place at, std::uint32_t count);
  [[nodiscard]] bool is_in(place at) const noexcept;
  /// Gives a monitor that this thread is in to the rank, and gets it back from there, perhaps in
  /// another thread, which is in it as often then: for ranks whose threads take turns by other
  /// means. Lending publishes, borrowing refreshes. Cost: a lock, no message.
  /// Errors: bad_argument if this thread is not in the monitor (lend), or it is not lent (borrow).
  /// Checked by: object_external_test.monitors_are_lent
  void lend(place at);
  void borrow(place at);
  [[nodiscard]] bool holds_monitors() const noexcept { return !me_->held.empty(); }

  // -- roots and threads

  void set_root(std::string_view name, place at, const type_descriptor& type);
  [[nodiscard]] place root(std::string_view name, const type_descriptor& type);
  /// The same, of any type: type_of tells.
  [[nodiscard]] place root(std::string_view name);
  /// Sends a request to start a thread; `ended` is done when it has ended.
  void start(int rank, fabric::handler_index handler, place argument, fabric::request& ended);
  void join(fabric::request& ended, int rank, place argument);
  /// Runs the threads that other ranks start here, until stop.
  void serve(void* view);
  /// Ends serve on all ranks.
  void stop();

  // -- collecting objects

  void collect();
  void outside(base::function_ref<void()> f);
  /// The two halves of `outside`, for callers whose code is not a function: between them the thread
  /// makes no call of this view. Errors: rank_failed.
  /// Checked by: object_external_test.threads_may_be_outside
  void begin_outside();
  void end_outside();
  [[nodiscard]] collection_counts collections() const;
  /// The ring of the thread's handles.
  [[nodiscard]] root_link& handles() noexcept { return me_->handles; }

  /// Publishes, and gives up all rights. It is of no more use.
  void close() noexcept;

 private:
  [[noreturn]] void throw_invalid(const char* what, place at) const;
  void check_place(const char* what, place at) const;
  [[nodiscard]] std::byte* piece_of(place array, place region, const type_descriptor& type,
                                    bool writes);
  [[noreturn]] void throw_other_type(place at, const type_descriptor& type) const;
  [[nodiscard]] std::byte* check_direct(const char* what, place at, const type_descriptor& type,
                                        std::uint64_t* reach::*bits);
  void admit(copy& c, reach& r);
  [[nodiscard]] region_header fetch(copy& c, const granted_object* granted,
                                    std::vector<dropped_copy>& dropped);
  copy& acquire(std::unique_lock<std::mutex>& lock, place at, const type_descriptor& type,
                bool is_array);
  /// A copy that this thread may read, with its bit set; null: the region there has another type.
  struct acquired_copy {
    copy* of;
    std::uint32_t type;  ///< of the region; 0: there is none
  };
  acquired_copy try_acquire(std::unique_lock<std::mutex>& lock, place at,
                            const type_descriptor& type, bool is_array);
  [[nodiscard]] std::uint32_t type_id_of(place at, const type_descriptor* guess);
  [[nodiscard]] const granted_object* find_granted(const copy& c) const;
  [[nodiscard]] bool wants_object(place at, const change_stream* changes) const;
  void map(reach& r, int rank);
  void give_up_record(outbox& out) noexcept;
  bool select(place at) noexcept;
  [[nodiscard]] std::byte* monitor_of(place at) noexcept;
  void publish_own();
  void give_up_granted(copy& c);
  void take_recalled();
  void give_back(const std::vector<place>& owned);
  void claim_memory(copy& c, std::size_t bytes, std::vector<dropped_copy>& dropped);
  void bring_home(std::unique_lock<std::mutex>& lock, std::uint64_t offset);
  void end_work(const fabric::wait_reason& reason);
  void publish_here();
  void publish_foreign(change_stream& changes);
  void publish_before_leaving(place at, std::optional<change_stream>& changes);
  /// The thread has published, and does not use objects until leave_safe_region: collections do not
  /// wait for it. Leaving waits for the end of one that is under way.
  void enter_safe_region();
  void leave_safe_region();
  void stop_if_asked();
  /// Returns the rank for which the collection has been called off, or -1.
  [[nodiscard]] int try_collect();
  [[nodiscard]] static std::string text_of_late(int rank);
  void take_memory(std::uint64_t blocks, base::function_ref<bool()> take);
  void find_room(std::uint64_t room, const std::byte* values);
  void give_up_unused();
  void send_dropped(std::vector<dropped_copy>& dropped);
  [[nodiscard]] held_monitor& held(const char* what, place at);
  [[nodiscard]] monitor_answer ask(place at, monitor_request what, std::uint32_t notified,
                                   fabric::deadline_ns deadline, change_stream* changes = nullptr,
                                   const std::atomic<bool>* interrupted = nullptr);
  void tell(place at, monitor_request what, std::uint32_t notified, std::uint64_t number,
            bool follows = false);
  void leave(place at, std::uint32_t notified, ptr<sync::queue_node> node, std::uint16_t inflated);
  [[nodiscard]] bool enter_free(place at);
  [[nodiscard]] held_monitor enter_new(place at);
  [[nodiscard]] std::optional<held_monitor> try_enter_new(place at);
  [[nodiscard]] ptr<sync::queue_node> take_node();
  [[nodiscard]] inflated_words inflated_at(place at, std::uint16_t number) const noexcept;
  [[nodiscard]] std::optional<std::uint16_t> find_inflated(place at, std::byte* data);
  [[nodiscard]] held_monitor enter_inflated(place at, std::uint16_t number);
  [[nodiscard]] std::optional<held_monitor> try_enter_inflated(place at, std::uint16_t number);
  void pass_inflated(const held_monitor& m, std::uint16_t number);
  [[nodiscard]] bool wait_inflated(const held_monitor& m, std::uint16_t number,
                                   fabric::deadline_ns deadline,
                                   const std::atomic<bool>* interrupted, held_monitor& again);
  [[nodiscard]] region_account ask_protocol(const char* what, place at, bool sets,
                                            object_protocol protocol);
  [[nodiscard]] root_value ask_root(std::string_view name, bool sets, root_value value);
  [[nodiscard]] root_value find_root(std::string_view name);

  far::world world_;
  base::unwind_watch watch_;
  std::shared_ptr<part> part_;
  thread_record* me_;  ///< null: closed
  // For the inline path: the rank of the last access.
  std::uint64_t slot_ = ~std::uint64_t{0};  ///< space and rank; all ones: none
  reach reach_;
  std::uint64_t first_slot_;
};

/// The handler that queues a thread's start.
void receive_start(fabric::message& message, void (*run)(void* view, place argument));

}  // namespace far::objects
