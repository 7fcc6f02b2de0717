// One-sided operations: an operation is a set of pieces, each of which is an event. When the last
// piece has taken place, the signal follows, then the completions.

#include <cstring>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/fabric/sim/operation.hpp"
#include "far/fabric/sim/rank_context.hpp"

namespace far::fabric::sim {
namespace {

/// Holds a completion until the end of the issuing call, so that it is not done before all its
/// operations have been issued.
class hold {
 public:
  explicit hold(completion* held) : held_(held) {
    if (held_ != nullptr) held_->begin();
  }
  ~hold() {
    if (held_ != nullptr) held_->end();
  }
  hold(const hold&) = delete;
  hold& operator=(const hold&) = delete;

 private:
  completion* held_;
};

void tell(rank_context& issuer, const operation& op, completion* done) {
  if (done == nullptr) return;
  if (op.at_once) {
    done->end();
  } else {
    issuer.arrived(*done, op.steps());
  }
}

/// Records that the operation advances in this step, if the driver needs it.
void note_step(operation& op, simulation& job) {
  if (job.follows(waits_end_once)) job.note_step(op.more().steps);
}

void change_word(operation& op, rank_fabric& home) {
  if (op.issuer != nullptr) {
    home.job().progressed();
    perform(*op.after, home.memory(op.after->word));
    home.job().rank(op.target).word_changed();
    if (op.has_more) op.more().steps.clear();
    note_step(op, home.job());
    op.issuer->finished(op);
  }
  home.job().records.release(op);
}

void piece_done(operation& op, rank_fabric& home) {
  note_step(op, home.job());
  if (--op.pieces_left > 0) return;
  if (op.issuer == nullptr) return home.job().records.release(op);
  tell(*op.issuer, op, op.source);
  if (!op.after.has_value()) {
    op.issuer->finished(op);
    home.job().records.release(op);
  } else if (op.at_once) {
    change_word(op, home);
  } else {
    home.job().announce({event_label::kind::signal, home.rank(), op.target, op.after->word,
                         sizeof(std::uint64_t), op.done != nullptr},
                        op.steps());
    home.job().schedule().post([&op, &home] { change_word(op, home); });
  }
}

void count(const operation& op, statistics& counts) {
  switch (op.kind) {
    case operation_kind::put:
      ++counts.puts;
      counts.put_bytes += op.bytes;
      break;
    case operation_kind::get:
      ++counts.gets;
      counts.get_bytes += op.bytes;
      break;
    case operation_kind::amo:
      ++counts.atomics;
      break;
  }
  if (op.after.has_value()) ++counts.signals;
}

event_label label_of(const operation& op, int issuer, std::size_t piece) {
  using kind = event_label::kind;
  constexpr kind kinds[] = {kind::put, kind::get, kind::amo};
  event_label label{kinds[static_cast<int>(op.kind)], issuer, op.target};
  label.word = op.piece_at(piece).where;
  label.bytes = op.piece_at(piece).bytes;
  label.tells = op.done != nullptr || op.source != nullptr;
  return label;
}

}  // namespace

void take_place(const operation& op, const piece& part, simulation& job) {
  if (part.bytes == 0) return;  // a signal without a payload
  const bool watched = job.exploring() != nullptr && op.kind != operation_kind::get;
  std::uint64_t before = 0;
  if (op.kind == operation_kind::amo) {
    if (watched) std::memcpy(&before, part.to, part.bytes);
    const std::uint64_t old = perform(op.request, part.to);
    if (op.request.fetched != nullptr) {
      store_fetched(old, op.request.fetched, op.request.fetched_bytes);
    }
    if (watched && std::memcmp(&before, part.to, part.bytes) != 0) job.progressed();
    if (op.request.wake) job.rank(op.target).word_changed();
  } else {
    if (watched && std::memcmp(part.to, part.from, part.bytes) != 0) job.progressed();
    copy(part.to, part.from, part.bytes);
  }
  if (op.kind == operation_kind::get) return;
  job.written(part.where, part.bytes);
  if (op.kind == operation_kind::put || !op.request.wake) job.rank(op.target).memory_changed();
}

operation& rank_context::prepare(operation_kind kind, int target, completion* done) {
  operation& op = job().records.take();
  op.kind = kind;
  op.origin = home().rank();
  op.target = target;
  op.done = done;
  return op;
}

void rank_context::start(operation& op) {
  if (job().exploring() != nullptr) tried(op);
  const bool is_dead = job().is_dead(home().rank());
  // A caller that unwinds has nothing in flight any more.
  if (is_dead && std::uncaught_exceptions() > 0) return job().records.release(op);
  if (op.done != nullptr) op.done->begin();
  if (op.source != nullptr) op.source->begin();
  // The operation never ends. Who waits for it gets rank_failed, and may then free the memory that
  // it would write.
  if (is_dead || job().failed()) return job().records.release(op);
  op.issuer = this;
  op.pieces_left = op.pieces;
  op.previous = nullptr;
  op.next = std::exchange(in_flight_, &op);
  if (op.next != nullptr) op.next->previous = &op;
  traffic_begins();
  count(op, job().counts);
  job().exploring() == nullptr ? start_timed(op) : start_explored(op);
}

void rank_context::start_explored(operation& op) {
  constexpr std::uint64_t at_once_parts = 3;  // of 16
  const bool at_once = schedule().about(question::at_once).chance(at_once_parts);
  op.at_once = at_once;
  const std::size_t pieces = op.pieces;  // after the last piece the record may be reused
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto piece_moves = [&op, home = home_, i] {
      if (op.issuer != nullptr) take_place(op, op.piece_at(i), home->job());
      piece_done(op, *home);
    };
    if (at_once) {
      piece_moves();
    } else {
      job().announce(label_of(op, home().rank(), i));
      schedule().post(piece_moves);
    }
  }
}

void rank_context::finished(operation& op) {
  (op.previous == nullptr ? in_flight_ : op.previous->next) = op.next;
  if (op.next != nullptr) op.next->previous = op.previous;
  tell(*this, op, op.done);
  const std::span<const step_number> steps = op.steps();
  if (op.has_more) {
    for (const std::shared_ptr<pending_flush>& flush : op.more().flushes) {
      flush->causes.insert(flush->causes.end(), steps.begin(), steps.end());
      if (--flush->left == 0 && flush->of != nullptr) flush->of->flushed(*flush);
    }
  }
  if (job().follows(waits_end_once)) {
    finished_.push_back({op.target, op.is_loose(), {steps.begin(), steps.end()}});
    if (lingering_ && in_flight_ == nullptr) notify(finishing_steps());
  } else if (lingering_) {
    notify();
  }
  traffic_ends();
}

/// Removes and returns the steps of all finished operations, or of those that a flush of `rank`
/// waits for.
std::vector<step_number> rank_context::finishing_steps(std::optional<int> flushed) {
  std::vector<step_number> result;
  std::erase_if(finished_, [&](const finished_operation& one) {
    if (flushed && (one.is_loose || (*flushed != all_ranks && one.target != *flushed))) {
      return false;
    }
    result.insert(result.end(), one.steps.begin(), one.steps.end());
    return true;
  });
  return result;
}

void rank_context::add_write(operation& op, const put_part& part, bool read_now) {
  op.bytes += part.bytes;
  const auto* from = static_cast<const std::byte*>(part.from);
  if (read_now) {
    op.more().copy.assign(from, from + part.bytes);
    from = op.more().copy.data();
  }
  std::byte* const to = home().memory(part.to);
  tear(schedule(), part.to, part.bytes, [&](std::uint64_t at, std::uint64_t bytes) {
    op.add({to + at, from + at, bytes, part.to + static_cast<std::int64_t>(at)});
  });
}

void rank_context::put(std::span<const put_part> parts, completion* done, completion* source,
                       const signal* after) {
  const visit inside(*this);
  check_start(parts.empty());
  for (const put_part& part : parts) {
    home().check_bounds(part.to, part.bytes);
    if (after != nullptr && part.to.rank() != after->word.rank()) {
      throw bad_argument("put: with a signal all parts must go to the rank of its word");
    }
  }
  if (after != nullptr) {
    home().check_bounds(after->word, sizeof(std::uint64_t));
    if (after->word.offset() % sizeof(std::uint64_t) != 0) {
      throw bad_argument("put: the signal's word must be aligned to 8 bytes");
    }
  }
  const hold until_issued(done);
  const hold until_read(source);
  if (after != nullptr) {
    operation& op = prepare(operation_kind::put, after->word.rank(), done);
    op.source = source;
    op.after = *after;
    for (const put_part& part : parts) add_write(op, part, false);
    if (op.pieces == 0) op.add({});  // then the signal
    return start(op);
  }
  for (const put_part& part : parts) {
    if (part.bytes == 0) continue;
    operation& op = prepare(operation_kind::put, part.to.rank(), done);
    // Some networks copy the buffer and release it at once, others read it late.
    const bool read_now = source != nullptr && (job().costs() != nullptr ||
                                                schedule().about(question::read_now).chance(8));
    op.source = read_now ? nullptr : source;
    add_write(op, part, read_now);
    start(op);
  }
}

void rank_context::get(std::span<const get_part> parts, completion* done) {
  const visit inside(*this);
  check_start(false);
  if (done == nullptr) throw bad_argument("get: needs a completion");
  for (const get_part& part : parts) home().check_bounds(part.from, part.bytes);
  const hold until_issued(done);
  for (const get_part& part : parts) {
    if (part.bytes == 0) continue;
    operation& op = prepare(operation_kind::get, part.from.rank(), done);
    op.bytes = part.bytes;
    auto* const to = static_cast<std::byte*>(part.to);
    const std::byte* const from = home().memory(part.from);
    tear(schedule(), part.from, part.bytes, [&](std::uint64_t at, std::uint64_t bytes) {
      op.add({to + at, from + at, bytes, part.from + static_cast<std::int64_t>(at)});
    });
    start(op);
  }
}

void rank_context::check_amo(const amo_request& request, const completion* done) const {
  const int bytes = request.bytes;
  if (bytes != 4 && bytes != 8) {
    throw bad_argument(fmt::format("amo on {} bytes: words have 4 or 8", bytes));
  }
  if (request.word.offset() % request.bytes != 0) {
    throw bad_argument(
        fmt::format("amo at offset {}: not aligned to its {} bytes", request.word.offset(), bytes));
  }
  if (request.fetched != nullptr && done == nullptr) {
    throw bad_argument("amo: a fetching one needs a completion");
  }
  if (request.loose && done != nullptr) throw bad_argument("amo: a loose one has no completion");
  home().check_bounds(request.word, request.bytes);
}

void rank_context::amo(const amo_request& request, completion* done) {
  const visit inside(*this);
  check_start(request.fetched == nullptr);
  check_amo(request, done);
  operation& op = prepare(operation_kind::amo, request.word.rank(), done);
  op.bytes = request.bytes;
  op.request = request;
  op.add({home().memory(request.word), nullptr, request.bytes, request.word});
  const hold until_issued(done);
  start(op);
}

void rank_context::flush(int rank, completion* done) {
  const visit inside(*this);
  if (done == nullptr) throw bad_argument("flush: needs a completion");
  const bool of_all = rank == every_context;
  if (of_all) rank = all_ranks;
  if (rank != all_ranks && (rank < 0 || rank >= home().size())) {
    throw bad_argument(fmt::format("flush of rank {} of {}", rank, home().size()));
  }
  // A waiter gets rank_failed; a caller that unwinds has nothing in flight any more.
  if ((job().failed() || job().is_dead(home().rank())) && !is_unwinding()) {
    return done->begin();
  }
  const bool ends_once = job().follows(waits_end_once);
  if (!ends_once) touch_own(touch::part::transfers);
  const auto flush = std::make_shared<pending_flush>(pending_flush{done, this});
  const auto await = [&](const rank_context& of) {
    for (operation* op = of.in_flight_; op != nullptr; op = op->next) {
      if (op->is_loose() || (rank != all_ranks && op->target != rank)) continue;
      op->more().flushes.push_back(flush);
      ++flush->left;
    }
  };
  await(*this);
  const hold until_issued(done);
  if (ends_once) flush->causes = finishing_steps(rank);
  if (of_all) {
    std::erase_if(of_all_, [](const auto& one) { return one->left == 0; });
    of_all_.push_back(flush);
    home().for_each_context([&](const rank_context& other) {
      if (&other == this) return;
      await(other);
      if (!ends_once) return;
      for (const finished_operation& one : other.finished_) {
        if (one.is_loose) continue;
        flush->causes.insert(flush->causes.end(), one.steps.begin(), one.steps.end());
      }
    });
  }
  if (flush->left == 0 && flush->causes.empty()) return;
  done->begin();
  job().note_step(flush->causes);
  if (flush->left == 0) flushed(*flush);
}

/// The last of the flush's operations has taken place. Under waits_end_once its end is an event of
/// its own, because it makes no difference which operation was the last, and whether that was
/// before the flush.
void rank_context::flushed(pending_flush& flush) {
  if (!job().follows(waits_end_once)) return arrived(*flush.done);
  job().announce({event_label::kind::flushed, home().rank(), home().rank()}, flush.causes);
  schedule().post([this, done = flush.done] { arrived(*done); });
}

}  // namespace far::fabric::sim
