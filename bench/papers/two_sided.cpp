#include "bench/papers/two_sided.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "far/base/error.hpp"
#include "far/fabric/copy.hpp"

namespace far::bench {
namespace {

/// Requests that have arrived for this rank's calls: handlers store them, calls act on them.
struct control {
  explicit control(rank_state&) {}
  using key = std::pair<int, std::uint64_t>;  // the peer, and the number of the message
  std::map<key, bool> wants_to_send;
  std::map<key, ptr<std::byte>> clear_to_send;
};

void request_to_send(rank_state& here, int from, std::uint64_t number) {
  here.get<control>().wants_to_send[{from, number}] = true;
}

void clear_to_send(rank_state& here, int from, std::uint64_t number, ptr<std::byte> to) {
  here.get<control>().clear_to_send[{from, number}] = to;
}

}  // namespace

struct two_sided::message {
  int peer = -1;
  bool sends = false;
  std::uint64_t number = 0;  ///< among the eager or the large messages between the two ranks
  std::byte* memory = nullptr;
  std::size_t bytes = 0;
  bool answered = false;  ///< large: clear to send was sent, or the put was started
  bool done = false;
  future<void> sending = {};

  [[nodiscard]] bool is_eager() const noexcept { return bytes <= max_eager_bytes; }
};

two_sided::two_sided(world& world, std::uint64_t work_ns)
    : world_(world),
      work_ns_(work_ns),
      kilobyte_ps_(world.fabric().work_cost_ps("copied_kilobyte")),
      row_ps_(world.fabric().work_cost_ps("copied_row")),
      counters_(static_cast<std::size_t>(world.size())) {
  const auto peers = static_cast<std::uint64_t>(world.size());
  rings_ = allocate<std::byte>(world, peers * slots * max_eager_bytes);
  outgoing_ = allocate<std::byte>(world, peers * slots * max_eager_bytes);
  arrived_ = allocate<std::uint64_t>(world, peers);
  completed_ = allocate<std::uint64_t>(world, peers * large_slots);
  taken_ = allocate<std::uint64_t>(world, peers);
  given_ = allocate<std::uint64_t>(world, 2 * peers);
  barrier(world);
}

ptr<std::byte> two_sided::slot(ptr<std::byte> ring, int peer, std::uint64_t number) const {
  const auto index = static_cast<std::uint64_t>(peer) * slots + number % slots;
  return ring + static_cast<std::int64_t>(index * max_eager_bytes);
}

ptr<std::uint64_t> two_sided::completion(int peer, std::uint64_t number) const {
  const auto index = static_cast<std::uint64_t>(peer) * large_slots + number % large_slots;
  return completed_ + static_cast<std::int64_t>(index);
}

std::uint64_t two_sided::peek(ptr<std::uint64_t> word) const {
  return world_.context().peek(word.address());
}

void two_sided::charge_copy(std::uint64_t bytes, std::uint64_t rows) const {
  world_.context().charge(kilobyte_ps_ * bytes / 1024 + row_ps_ * rows);
}

two_sided::request two_sided::start_send(int to, std::span<const std::byte> from) {
  world_.context().charge(work_ns_ * 1000);
  auto& count = counters_[static_cast<std::size_t>(to)];
  auto* const memory = const_cast<std::byte*>(from.data());  // which is only read
  request result(new message{to, true, 0, memory, from.size()});
  if (!result->is_eager()) {
    result->number = count.large_sent++;
    under_way_.push_back(result);
    rpc_oneway<request_to_send>(world_, to, world_.rank(), result->number);
    advance_all();
    return result;
  }
  result->number = count.eager_sent++;
  // A slot is free once the receiver has taken what was in it.
  const auto is_free = [&] {
    return result->number < slots || peek(taken_ + to) > result->number - slots;
  };
  while (!is_free()) {
    world_.context().wait([&] { return is_free() || can_advance_any(); }, fabric::never,
                          {"slot", to});
    advance_all();
  }
  const ptr<std::byte> copy = slot(outgoing_, to, result->number);
  std::byte* const bytes = world_.fabric().local(copy.address());
  fabric::copy_bytes(bytes, from.data(), from.size());
  charge_copy(from.size(), 1);
  result->sending = put_async(world_, slot(rings_, world_.rank(), result->number).on(to),
                              std::span<const std::byte>(bytes, from.size()),
                              signal_of((arrived_ + world_.rank()).on(to), 1, signal::kind::add));
  result->done = true;
  return result;
}

two_sided::request two_sided::start_receive(int from, std::span<std::byte> to) {
  auto& count = counters_[static_cast<std::size_t>(from)];
  request result(new message{from, false, 0, to.data(), to.size()});
  result->number = result->is_eager() ? count.eager_received++ : count.large_received++;
  under_way_.push_back(result);
  world_.progress();
  advance_all();
  return result;
}

bool two_sided::can_advance(const message& of) const {
  if (of.is_eager()) return peek(arrived_ + of.peer) > of.number;
  auto& known = world_.state().get<control>();
  if (of.sends) {
    return of.answered ? of.sending.ready() : known.clear_to_send.contains({of.peer, of.number});
  }
  return of.answered ? peek(completion(of.peer, of.number)) == of.number + 1
                     : known.wants_to_send.contains({of.peer, of.number});
}

bool two_sided::can_advance_any() const {
  return std::ranges::any_of(under_way_, [&](const request& r) { return can_advance(*r); });
}

void two_sided::advance(message& of) {
  auto& known = world_.state().get<control>();
  if (of.is_eager() || of.answered) {
    if (of.is_eager()) take(of);
    if (!of.sends) world_.context().charge(work_ns_ * 1000);
    of.done = true;
  } else if (of.sends) {
    const auto found = known.clear_to_send.find({of.peer, of.number});
    const ptr<std::byte> to = found->second;
    known.clear_to_send.erase(found);
    const ptr<std::uint64_t> completed = completion(world_.rank(), of.number).on(of.peer);
    of.sending = put_async(world_, to, std::span<const std::byte>(of.memory, of.bytes),
                           signal_of(completed, of.number + 1));
    of.answered = true;
  } else {
    const fabric::address place = world_.fabric().address_of(of.memory);
    if (!place) throw bad_argument("two_sided: a large message into memory of no segment");
    known.wants_to_send.erase({of.peer, of.number});
    rpc_oneway<clear_to_send>(world_, of.peer, world_.rank(), of.number, ptr<std::byte>(place));
    of.answered = true;
  }
}

void two_sided::advance_all() {
  for (const request& r : under_way_) {
    while (!r->done && can_advance(*r)) advance(*r);
  }
  std::erase_if(under_way_, [](const request& r) { return r->done; });
}

/// Copies an eager message out of its slot.
void two_sided::take(const message& of) {
  const ptr<std::byte> from = slot(rings_, of.peer, of.number);
  fabric::copy_bytes(of.memory, world_.fabric().local(from.address()), of.bytes);
  charge_copy(of.bytes, 1);
  if ((of.number + 1) % (slots / 2) != 0) return;
  const ptr<std::uint64_t> given = given_ + of.peer;
  auto* const count = reinterpret_cast<std::uint64_t*>(world_.fabric().local(given.address()));
  *count = of.number + 1;
  // Only the signal matters; it needs a put to go with.
  const ptr<std::uint64_t> unused = given_ + (world_.size() + world_.rank());
  (void)put_async(world_, unused.on(of.peer), std::span<const std::uint64_t>(count, 1),
                  signal_of((taken_ + world_.rank()).on(of.peer), *count));
}

void two_sided::wait(std::span<const request> all) {
  const auto is_done = [](const request& r) { return r->done; };
  for (advance_all(); !std::ranges::all_of(all, is_done); advance_all()) {
    world_.context().wait([&] { return can_advance_any(); }, fabric::never, {"message"});
  }
}

std::uint64_t work_ns_of(std::string_view profile) noexcept {
  // Half of what MPI's latency (table 1) exceeds that of a put with a signal.
  return profile == "ib-2004-ia64" ? 1800 : 1250;
}

}  // namespace far::bench
