#pragma once
// A rank's part of an object space.
//
// Threads: `mutex` guards everything but what does not change and the atomics.

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "far/homes/part.hpp"
#include "far/memory/ptr.hpp"
#include "far/object/copy/copy_table.hpp"
#include "far/object/heap/collector.hpp"
#include "far/object/heap/heap.hpp"
#include "far/object/home/followed_changes.hpp"
#include "far/object/home/recall.hpp"
#include "far/object/home/region_directory.hpp"
#include "far/object/known_types.hpp"
#include "far/object/messages.hpp"
#include "far/object/monitor/inflated_monitor.hpp"
#include "far/object/monitor/monitor_table.hpp"
#include "far/object/options.hpp"
#include "far/object/thread_record.hpp"
#include "far/team/collective_scope.hpp"
#include "far/world/world.hpp"

namespace far {

namespace objects {

/// A thread that another one has asked this rank to start.
struct start_request {
  void (*run)(void* view, place argument);
  place argument;
  fabric::reply_token token;
};

struct heap_memory {
  ptr<std::byte> at;    ///< symmetric
  std::uint64_t bytes;  ///< of each rank
  std::uint64_t limit;  ///< of what it may take before a collection
};

struct part : homes::part, std::enable_shared_from_this<part> {
  using outbox_type = outbox;

  part(const world& world, const object_space_options& options);
  ~part();

  int size;
  bool coherent;  ///< the whole job is one coherent memory: there are no copies
  heap_memory memory;
  ptr<inflated_monitor> inflated;  ///< symmetric; null: there are none
  std::size_t inline_bytes;        ///< of a region's data in one message
  std::size_t packet_bytes;
  bool asymmetric;                      ///< fabric::has_asymmetric_fence
  bool collects;                        ///< when a rank's memory is full
  const fabric::context* main_context;  ///< of the thread that runs the rank
  fetch_replies replies;                ///< object_space_options::replies
  object_protocol protocol;             ///< of objects for which none has been chosen
  std::uint32_t migrate_after;          ///< object_space_options::migrate_after
  bool reachable_copies;                ///< object_space_options::reachable_copies, or implied
  bool tracks_changes;                  ///< object_space_options::tracks_changes

  object_heap heap;
  region_directory directory;
  copy_table copies;
  monitor_table monitors;
  followed_changes followed;
  collector collection;
  std::unordered_map<std::string, root_value> roots;
  known_types types;               ///< those of this rank's objects, and others that it has met
  std::vector<held_monitor> lent;  ///< monitors that the rank has, and none of its threads
  std::unordered_map<std::uint64_t, std::uint64_t> kept;  ///< places, and how often they are kept
  std::unordered_set<std::uint64_t> changed;              ///< places, for take_changed
  std::deque<start_request> starts;
  std::vector<place> started;  ///< arguments of threads that threads of this rank have not joined
  bool told = false;           ///< tell_own_writers has told a thread something new
  bool stopped = false;        ///< no more threads will be started
  std::vector<std::unique_ptr<thread_record>> threads;  ///< null: closed
  std::uint64_t forgotten = 0;      ///< when a collection dropped all copies, as a time of `clock`
  std::uint64_t fetches = 0;        ///< made so far
  handed_back_packets handed_back;  ///< recall.hpp
  std::shared_ptr<part> itself;     ///< set if messages of a failed job may still name a record

  std::atomic<std::uint64_t> clock = 1;          ///< counts fetches, and numbers requests
  std::atomic<std::uint64_t> release_epoch = 1;  ///< counts requests to give up rights

  /// place::space of its references.
  [[nodiscard]] std::uint64_t space() const noexcept { return 1 + id % place::spaces; }

  // For bindings: without the mutex.

  /// Keeps an object, and all that can be reached from it, from collections, until it is released
  /// as often: for references outside of the space's view, in another language's objects. Until
  /// then the caller's thread has got the place, and come to no safe point since.
  /// Threads: any; `release` also without a view of the space. Cost: a lock.
  /// Checked by: object_external_test.kept_objects_stay
  void keep(place at);
  /// Errors: bad_argument for a place that is not kept.
  void release(place at);
  /// The regions, of this rank and others, whose data here may be other than when they were read
  /// last, since the call before; those of large arrays by piece. If a thread takes them after an
  /// acquire, what it has read before, and is not among them, is as good as what it would read.
  /// That needs one view for all that the rank reads, or for each thread that reads a memory of its
  /// own. Empty where ranks share the objects' memory: there all is as it was written last.
  /// Threads: any. Cost: a lock. Errors: bad_argument without object_space_options::tracks_changes.
  /// Checked by: object_external_test.changes_are_told
  [[nodiscard]] std::vector<place> take_changed();
  /// Makes a type known to this rank, so that thread_access::type_of need not ask for it. The
  /// descriptor lives as long as the space.
  /// Errors: bad_argument for types of equal hashes.
  void learn(const type_descriptor& type);
  /// The same for one that is described at run time, which then belongs to the part. Returns the
  /// known one if that is the same.
  const type_descriptor& learn(std::unique_ptr<described_type> type);

  // Steps, under the mutex.

  /// For take_changed: the region's data may change, or have changed, unseen by threads of the
  /// rank.
  void note_changed(place at) {
    if (tracks_changes) changed.insert(at.bits());
  }

  /// The copy may no longer be kept: threads that have a bit for it put it on their lists.
  void make_listed(copy& c);
  /// Ends a flush if nothing of it is in flight any more.
  void end_flush(outbox& out, copy& c);
  /// Whether a thread of this rank waits, in the space or for other threads of the rank. It has
  /// taken the mutex since its last access, or what it waits for has, and does so again before the
  /// next. So its rights can be taken. If it is parked, it has also published.
  [[nodiscard]] bool waits(const thread_record& thread) const;
  /// Tells the threads of this rank that may write an own region that others have copies. Returns
  /// whether there are any. If it sets `told`, a heavy fence must follow before the region is read.
  /// Threads that wait lose the right instead (region_directory.hpp, 2).
  bool tell_own_writers(std::uint64_t offset);
  /// Whether a thread of this rank may read or write an own region without asking.
  [[nodiscard]] bool has_own_users(std::uint64_t offset) const;
  /// Threads of this rank that may read an own region forget it when they synchronize, or now if
  /// they wait: if they need it, they ask again.
  void ask_own_readers(std::uint64_t offset);
  /// Whether a thread of this rank may write an own region.
  [[nodiscard]] bool has_own_writers(std::uint64_t offset) const;
  /// The size of an own region's data.
  [[nodiscard]] std::size_t bytes_of_region(std::uint64_t offset) const;
  /// How many regions the own array, or object, has that begins with this one.
  [[nodiscard]] std::uint64_t pieces_of(std::uint64_t offset) const;
  /// An owned copy becomes a kept one. Threads that may write it are told. If any was, a heavy
  /// fence must follow before the copy is compared with its twin: the result.
  bool disown(copy& c);
  /// A thread gives up its right to read a copy.
  void give_up(thread_record& thread, copy& c, std::vector<dropped_copy>& dropped);
  /// A thread gives up the right to read all copies but those that it writes: what it still needs,
  /// it asks for again.
  void give_up_unused(thread_record& thread, std::vector<dropped_copy>& dropped);
  /// Makes room for a copy, if necessary by taking the rights of threads that wait at a safe point.
  /// False if too many are in use.
  [[nodiscard]] bool claim_memory(copy& c, std::size_t bytes, std::vector<dropped_copy>& dropped);
  void wake(outbox& out) const noexcept { out.wakes |= waiting > 0; }
};

/// Collective. Errors: as object_space.
[[nodiscard]] std::shared_ptr<part> make_part(const world& world,
                                              const object_space_options& options);
/// Collective, unless an exception is destroying the space.
void release_part(const world& world, part& of, const collective_scope& scope) noexcept;

/// Waits until `ready()`, and then `close()`, which are called with the mutex held. It is held
/// before and after, but not meanwhile. Errors: rank_failed; then the mutex is not held.
/// `close` fails while a home has opened `word`. That is looked at, and not whether it has changed:
/// the home may have given it back, as it was, before this thread looks.
template <class Ready, class Close>
void wait_for_change(part& of, std::unique_lock<std::mutex>& lock, const world& world,
                     const char* what, int rank, Ready ready, Close close, fabric::address word) {
  bool is_ready = false;
  const auto look = [&] {
    is_ready = ready();
    return is_ready && close();
  };
  homes::wait_for_change(of, lock, world, what, rank, look, [&] {
    return is_ready && !update_word::is_open(world.context().peek(word));
  });
}
template <class Ready>
void wait_for_change(part& of, std::unique_lock<std::mutex>& lock, const world& world,
                     const char* what, int rank, Ready ready) {
  homes::wait_for_change(of, lock, world, what, rank, ready, [] { return false; });
}

}  // namespace objects
}  // namespace far
