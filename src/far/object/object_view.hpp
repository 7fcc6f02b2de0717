#pragma once
// One thread's view of an object space: objects, monitors, roots, threads.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "far/base/function_ref.hpp"
#include "far/object/collections.hpp"
#include "far/object/monitor.hpp"
#include "far/object/object_thread.hpp"
#include "far/object/options.hpp"
#include "far/object/reference.hpp"
#include "far/object/thread_access.hpp"
#include "far/object/type.hpp"
#include "far/object/volatile_field.hpp"
#include "far/world/world.hpp"

namespace far {

/// One thread's view of the objects of a far::object_space.
///
/// Safety of references: a `T&`, `const T&` or span that read and write return is valid until the
/// thread's next safe point: a monitor operation, publish, refresh, barrier, root, start or join of
/// a thread, safe_point, an allocation, or collect. A `ref` to an object that nothing keeps is
/// valid as long (rooted.hpp). A program in which no field is written by one thread
/// while another one reads or writes it, unless monitors or other synchronization order the two, is
/// sequentially consistent (docs/memory_model.md). Fields are read and written whole in any case.
///
/// Threads: belongs to the thread of its world; others make their own, by object_space::on.
/// Errors: bad_argument for null references, references to other spaces, and indices beyond an
/// array's end; out_of_memory; rank_failed where it waits.
/// Checked by: object_space_test.every_rank_sees_every_object,
/// object_error_test.names_what_is_wrong
class object_view {
 public:
  object_view(const far::world& world, std::shared_ptr<objects::part> of)
      : access_(world, std::move(of)) {}

  [[nodiscard]] const far::world& world() const noexcept { return access_.world(); }

  /// Makes an object T(args...), whose home is this rank. Others may use it once they have got its
  /// reference. What the arguments refer to is kept meanwhile.
  /// Cost: no lock, and no message; a collection if the memory is full. Errors: out_of_memory.
  /// Checked by: object_values_test.members_begin_with_their_initializers
  template <shared_object T, class... Args>
    requires std::constructible_from<T, Args...>
  [[nodiscard]] ref<T> make(Args&&... args) {
    if constexpr (sizeof...(Args) > 0) {
      const T values(std::forward<Args>(args)...);
      const ref<T> made(access_.make(objects::descriptor_of<T>(), 1, false,
                                     reinterpret_cast<const std::byte*>(&values)));
      write(made) = values;
      return made;
    } else {
      const ref<T> made(access_.make(objects::descriptor_of<T>(), 1, false));
      if constexpr (!std::is_array_v<T>) {
        if (!objects::begins_zero<T>()) write(made) = T();
      }
      return made;
    }
  }
  /// Makes an array of n elements T(), or of zero bytes if T has no default. Large ones consist of
  /// several regions of 64 KB, which ranks copy one by one. Errors: out_of_memory.
  /// Checked by: object_values_test.members_begin_with_their_initializers
  template <shared_object T>
  [[nodiscard]] ref<T[]> make_array(std::uint64_t n) {
    const ref<T[]> made(access_.make(objects::descriptor_of<T>(), n, true));
    if constexpr (std::default_initializable<T> && !std::is_array_v<T>) {
      for (std::uint64_t i = objects::begins_zero<T>() ? n : 0; i < n;) {
        const std::span<T> rest = write_from(made, i);
        std::ranges::fill(rest, T());
        i += rest.size();
      }
    }
    return made;
  }

  /// The object, to be read. Cost: a few instructions if this thread has read it since it
  /// synchronized last, or the rank may keep its copy; else a message to the home and one back.
  template <class T>
    requires(!std::is_array_v<T>)
  [[nodiscard, gnu::always_inline]] const T& read(ref<T> object) {
    const std::byte* data = access_.readable(object.place());
    if (data == nullptr) [[unlikely]]
      data = access_.get_readable(object.place(), objects::descriptor_of<T>());
    return *reinterpret_cast<const T*>(data);
  }
  /// The object, to be read and written. Cost: as read, and a copy of it when the thread writes it
  /// first after synchronizing.
  template <class T>
    requires(!std::is_array_v<T>)
  [[nodiscard, gnu::always_inline]] T& write(ref<T> object) {
    std::byte* data = access_.writable(object.place());
    if (data == nullptr) [[unlikely]]
      data = access_.get_writable(object.place(), objects::descriptor_of<T>());
    return *reinterpret_cast<T*>(data);
  }

  /// Element i. Errors: bad_argument for an invalid index.
  template <class T>
  [[nodiscard]] const T& read(ref<T[]> array, std::uint64_t i) {
    return *reinterpret_cast<const T*>(
        access_.element(array.place(), i, objects::descriptor_of<T>(), false));
  }
  template <class T>
  [[nodiscard]] T& write(ref<T[]> array, std::uint64_t i) {
    return *reinterpret_cast<T*>(
        access_.element(array.place(), i, objects::descriptor_of<T>(), true));
  }
  /// The elements from i to the end of i's region: at least one.
  /// Checked by: object_space_test.arrays_have_many_regions
  template <class T>
  [[nodiscard]] std::span<const T> read_from(ref<T[]> array, std::uint64_t i) {
    const auto found = access_.elements_from(array.place(), i, objects::descriptor_of<T>(), false);
    return {reinterpret_cast<const T*>(found.first), static_cast<std::size_t>(found.count)};
  }
  template <class T>
  [[nodiscard]] std::span<T> write_from(ref<T[]> array, std::uint64_t i) {
    const auto found = access_.elements_from(array.place(), i, objects::descriptor_of<T>(), true);
    return {reinterpret_cast<T*>(found.first), static_cast<std::size_t>(found.count)};
  }
  template <class T>
  [[nodiscard]] std::uint64_t size(ref<T[]> array) {
    return access_.length(array.place(), objects::descriptor_of<T>());
  }

  /// What becomes of copies of the object, or of all regions of the array, when it is changed. May
  /// be called at any time, by any rank; protocols of different objects do not depend on each
  /// other. Without effect where there are no copies. Cost: a message to the home and one back.
  /// Checked by: object_protocol_test.readers_are_sent_changes
  template <class T>
  void set_protocol(ref<T> object, object_protocol protocol) {
    access_.set_protocol(object.place(), protocol);
  }
  /// A line of text: the object's home, its protocol and why, who has copies, and what this rank
  /// has. Of an array's first region. Cost: as set_protocol.
  /// Checked by: object_protocol_test.says_what_it_does
  template <class T>
  [[nodiscard]] std::string explain(ref<T> object) {
    return access_.explain(object.place());
  }

  /// The object's monitor.
  template <class T>
  [[nodiscard]] far::monitor monitor(ref<T> object) noexcept {
    return {access_, object.place()};
  }
  /// Enters the object's monitor until the result is destroyed.
  template <class T>
  [[nodiscard]] monitor_lock lock(ref<T> object) {
    return monitor_lock(monitor(object));
  }

  /// A field that threads use to synchronize.
  template <class T, class M>
  [[nodiscard]] far::volatile_field<M> volatile_field(ref<T> object, M T::*member) {
    return {access_, object.place(), objects::offset_of(member)};
  }

  /// Makes what this thread has changed visible to those who synchronize with it later.
  /// Checked by: object_programs_test.counters_are_published
  void publish() { access_.publish(); }
  /// A safe point; then the thread sees what others had published before.
  void refresh() { access_.refresh(); }
  /// Where a collection may take place: to be called now and then by a thread that computes for
  /// long without any other safe point.
  void safe_point() { access_.safe_point(); }

  /// Frees all objects of all ranks that nothing keeps. Publishes. One thread is enough; other
  /// threads stop at their next safe points. If several threads call it, one collection may do for
  /// all.
  /// Cost: visits all objects that are kept, and looks at all others. All copies are dropped.
  /// Errors: far::error if a thread does not come to a safe point for 30 s; rank_failed.
  /// Checked by: object_collection_test.cycles_cross_ranks,
  /// object_collection_test.threads_that_do_not_stop_are_named
  void collect() { access_.collect(); }
  /// Publishes, and runs f, which does not use the space: collections do not wait for this thread
  /// meanwhile. Checked by: object_collection_test.threads_that_do_not_stop_are_named
  void outside(base::function_ref<void()> f) { access_.outside(f); }
  /// What collections have done so far. Checked by: object_collection_test.handles_keep_objects
  [[nodiscard]] collection_counts collections() const { return access_.collections(); }

  /// Gives a reference a name that all ranks know; the name may be given again. Publishes.
  /// Checked by: object_space_test.roots_have_names
  template <class T>
  void set_root(std::string_view name, ref<T> object) {
    access_.set_root(name, object.place(), objects::descriptor_of<std::remove_extent_t<T>>());
  }
  /// The reference of that name, or null. Refreshes.
  /// Errors: bad_argument if it is to an object of another type.
  template <class T>
  [[nodiscard]] ref<T> root(std::string_view name) {
    return ref<T>(access_.root(name, objects::descriptor_of<std::remove_extent_t<T>>()));
  }

  /// Runs f(view, object) on a thread of a rank, which object_space::run has started there. `f` is
  /// a lambda without captures: all that it gets is the reference. Starting publishes, and the
  /// thread sees it; what the thread has changed is seen by who joins it.
  /// Checked by: object_thread_test.threads_start_everywhere
  template <class F, class T>
    requires std::is_empty_v<F> && std::invocable<F&, object_view&, ref<T>>
  [[nodiscard]] object_thread start_thread(int rank, [[maybe_unused]] F f, ref<T> object) {
    return {access_, rank, fabric::handler_of<start_received<F, T>>::index(), object.place()};
  }

  /// What this rank has of the space.
  [[nodiscard]] const std::shared_ptr<objects::part>& shared_part() const noexcept {
    return access_.shared_part();
  }

 private:
  friend class object_space;
  template <class T>
  friend class rooted;

  template <class F, class T>
  struct start_received {
    static void run(fabric::message& message) { objects::receive_start(message, &run_thread); }
    static void run_thread(void* view, objects::place argument) {
      F()(*static_cast<object_view*>(view), ref<T>(argument));
    }
  };

  objects::thread_access access_;
};

}  // namespace far
