#include "far/sync/reader_gate.hpp"

#include <algorithm>
#include <utility>

#include "far/fabric/context.hpp"
#include "far/rma/signal.hpp"

namespace far::sync {

/// The limit in the word `arrived`, which holds only the limit's last bits.
std::uint64_t reader_gate::limit_of(std::uint64_t arrived) noexcept {
  const std::uint64_t count = count_of(arrived);
  const std::uint64_t ahead = ((arrived >> count_bits) - count) & limit_mask;
  return ahead <= limit_mask / 2 ? count + ahead : count + ahead - (limit_mask + 1);
}

/// Whether, by this word, a reader with that number must wait.
bool reader_gate::keeps_out(std::uint64_t arrived, std::uint64_t number) noexcept {
  if ((arrived & closed) != 0) return true;
  return (arrived & wanted) != 0 && number >= limit_of(arrived);
}

// ---- readers ------------------------------------------------------------------------------------

/// Waits until this reader may enter; its number is the count of `seen`, the word that it found.
void reader_gate::follow(std::uint64_t seen) const {
  const int home = shape_->own;
  const std::uint64_t number = count_of(seen);
  if (!keeps_out(seen, number)) return;
  if ((seen & closed) == 0 && number == limit_of(seen)) {
    const std::uint64_t name = departed(home).load() >> count_bits;
    if (name != 0) full(static_cast<int>(name) - 1).waking().store(1);
  }
  fabric::turn wait;  // the next writer waits for this reader
  for (;;) {
    world_.context().await_turn(wait);
    seen = arrived(home).load();
    if (!keeps_out(seen, number)) return;
    if ((seen & closed) != 0 && closed_at(home).load() > number) return;
  }
}

bool reader_gate::try_enter(fabric::deadline_ns deadline) const {
  const word gate = arrived(shape_->own);
  fabric::backoff patience;
  for (std::uint64_t seen = gate.load();;) {
    if (keeps_out(seen, count_of(seen))) {
      if (world_.now() >= deadline) return false;
      world_.context().pause(patience);
      seen = gate.load();
    } else if (gate.compare_exchange(seen, seen + 1)) {
      return true;
    }
  }
}

/// Notifies the waiting writer: this is the last reader.
void reader_gate::tell(std::uint64_t departed_now) const {
  drained(static_cast<int>(departed_now >> count_bits) - 1).waking().add(1);
}

// ---- writers ------------------------------------------------------------------------------------

std::uint64_t reader_gate::own_name() const noexcept {
  return static_cast<std::uint64_t>(world_.rank() + 1) << count_bits;
}

void reader_gate::count_anew() {
  counters_.clear();
  for (const int home : shape_->homes) counters_.push_back({.home = home});
}

bool reader_gate::close(bool readers_waited, fabric::deadline_ns deadline) {
  count_anew();
  const fabric::deadline_ns until = patient_until(readers_waited);
  if (until != 0 && !let_in(until, deadline)) return false;
  readers_before_ = !close_all();
  if (readers_before_) {
    const std::uint64_t due = query_latest();
    if (!wait_signal(world_, place(world_.rank(), 3), at_least{due}, deadline)) {
      give_up();
      return false;
    }
    drained(world_.rank()).store(0);
  }
  for (const counted& c : counters_) {
    if (c.wants) releases_.push_back(departed(c.home).add_async(c.taken_off() - own_name()));
  }
  return true;
}

bool reader_gate::try_close() {
  count_anew();
  if (close_all()) return true;
  open();
  return false;
}

void reader_gate::settle() {
  for (const future<void>& part : releases_) part.wait();
  releases_.clear();
  if (shape_->patience > 0) wrote_ns_ = world_.now();
}

bool reader_gate::open() {
  come_.clear();
  gone_.clear();
  for (const int home : shape_->homes) {
    gone_.push_back(departed(home).load_async());  // constant: no reader is inside
    come_.push_back(arrived(home).fetch_and_async(count_mask));
  }
  bool waited = false;
  for (std::size_t i = 0; i < come_.size(); ++i) {
    waited = count_of(come_[i].get()) != count_of(gone_[i].get()) || waited;
  }
  return waited;
}

/// Until when a writer lets readers enter; 0: not at all.
///
/// Closing and opening takes the same time for many readers as for few. So it pays off to read for
/// longer at a time; then more writers meet, too. The cost is that these writers wait. A writer
/// that waits for 1/patience of the time since it last wrote loses at most that part, and this is a
/// long time where writers are rare. Where writers are frequent, it has already waited in the queue
/// for much of that time, and the rest is not worth the round in which the limit is set.
fabric::deadline_ns reader_gate::patient_until(bool readers_waited) const {
  if (shape_->limit == 0) return 0;
  if (shape_->patience == 0) return readers_waited || readers_before_ ? fabric::never : 0;
  const std::uint64_t max = (came_ns_ - wrote_ns_) / static_cast<std::uint64_t>(shape_->patience);
  return world_.now() - came_ns_ < max / 2 ? came_ns_ + max : 0;
}

/// Lets readers enter before the writer closes: until the given time, or until none has come
/// between two looks. Returns false when the deadline has passed; the writer has withdrawn then.
bool reader_gate::let_in(fabric::deadline_ns until, fabric::deadline_ns deadline) {
  const std::uint64_t begin = world_.now();
  bool is_full = false;
  std::uint64_t before = want(is_full);
  std::uint64_t looked = world_.now();
  const std::uint64_t round_trip = (looked - begin) / 2;
  for (bool enough = is_full; !enough;) {
    // Looks pay off if the time between them is as long as they take. After a long wait they can be
    // rarer: the loss is only a fraction of the time waited so far.
    const std::uint64_t apart = std::max(round_trip, (looked - begin) / 4);
    if (is_full_by(std::min({until, deadline, looked + apart})) || world_.now() >= until) break;
    const std::uint64_t come = all_arrived();
    looked = world_.now();
    enough = std::exchange(before, come) == come;
    if (enough || looked < deadline) continue;
    give_up();
    return false;
  }
  full(world_.rank()).store(0);
  return true;
}

/// Whether a reader reports a reached limit by that time. The time is near: a sleep would take
/// longer.
bool reader_gate::is_full_by(fabric::deadline_ns time) const {
  fabric::turn wait;
  do {
    world_.context().await_turn(wait);
    if (full(world_.rank()).load() != 0) return true;
  } while (world_.now() < time);
  return false;
}

std::vector<future<void>> reader_gate::name_all() const {
  std::vector<future<void>> names;
  for (const counted& c : counters_) names.push_back(departed(c.home).add_async(own_name()));
  return names;
}

/// Sets the limits. Returns false if enough readers have come since the gate was last closed while
/// readers were inside. `closed_at` may be older than the last closing, if nobody was inside then;
/// in that case the readers came without being let in.
bool reader_gate::find_limits() {
  const bool counts = shape_->min > 0;
  come_.clear();
  gone_.clear();
  for (const counted& c : counters_) {
    come_.push_back(arrived(c.home).load_async());
    if (counts) gone_.push_back(closed_at(c.home).load_async());
  }
  bool any = !counts;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const std::uint64_t come = count_of(come_[i].get());
    std::uint64_t& limit = counters_[i].limit = come + shape_->limit;
    if (counts) limit = std::clamp(gone_[i].get() + shape_->min, come, limit);
    any = any || limit > come;
  }
  return any;
}

/// Sets `wanted` everywhere; returns how many readers have come. `is_full`: whether any limit is
/// already reached.
std::uint64_t reader_gate::want(bool& is_full) {
  std::vector<future<void>> names;
  if (shape_->min == 0) names = name_all();  // overlaps with the looks
  if (!find_limits()) {
    is_full = true;
    count_anew();
    return 0;
  }
  if (shape_->min > 0) names = name_all();
  for (const future<void>& name : names) name.wait();
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const std::uint64_t limit = (counters_[i].limit & limit_mask) << count_bits;
    come_[i] = arrived(counters_[i].home).fetch_or_async(wanted | limit);
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    counted& c = counters_[i];
    c.wants = true;
    const std::uint64_t come = count_of(come_[i].get());
    sum += come;
    is_full = is_full || come >= c.limit;
    c.limit = std::max(c.limit, come);  // readers that came before `wanted` are inside
  }
  return sum;
}

std::uint64_t reader_gate::all_arrived() {
  come_.clear();
  for (const counted& c : counters_) come_.push_back(arrived(c.home).load_async());
  std::uint64_t sum = 0;
  for (future<std::uint64_t>& part : come_) sum += count_of(part.get());
  return sum;
}

/// Closes all counters. Returns whether no reader was inside.
bool reader_gate::close_all() {
  come_.clear();
  gone_.clear();
  for (const counted& c : counters_) {
    come_.push_back(arrived(c.home).fetch_or_async(closed));
    gone_.push_back(departed(c.home).load_async());
  }
  bool empty = true;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    counted& c = counters_[i];
    c.inside = std::min(count_of(come_[i].get()), c.limit);
    c.asked = count_of(gone_[i].get()) != c.inside;  // maybe read before the closing
    empty = empty && !c.asked;
  }
  return empty;
}

/// Subtracts `inside` where readers may be inside. Returns how many last readers will notify this
/// writer.
std::uint64_t reader_gate::query_latest() {
  std::vector<future<void>> bounds;
  gone_.clear();
  for (counted& c : counters_) {
    if (!c.asked) continue;
    bounds.push_back(closed_at(c.home).store_async(c.inside));
    const std::uint64_t name = c.wants ? 0 : own_name();
    gone_.push_back(departed(c.home).fetch_add_async(name - c.inside));
    c.wants = true;
  }
  std::uint64_t due = 0;
  std::size_t next = 0;
  for (counted& c : counters_) {
    if (!c.asked) continue;
    bounds[next].wait();
    c.tells = count_of(gone_[next++].get()) != c.inside;
    if (c.tells) ++due;
  }
  return due;
}

/// Withdraws: afterwards the gate is open, and no reader will notify this writer any more.
void reader_gate::give_up() {
  gone_.clear();
  for (const counted& c : counters_) {
    if (c.wants) gone_.push_back(departed(c.home).fetch_add_async(c.taken_off() - own_name()));
  }
  std::uint64_t due = 0;
  std::size_t next = 0;
  for (const counted& c : counters_) {
    if (c.wants && count_of(gone_[next++].get()) == 0 && c.tells) ++due;
  }
  wait_signal(world_, place(world_.rank(), 3), at_least{due});
  drained(world_.rank()).store(0);
  open();
}

}  // namespace far::sync
