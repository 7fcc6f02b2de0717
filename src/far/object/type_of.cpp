// Finding the type of an object of which only the place is known, and types that others have made.

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "far/homes/message.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {
namespace {

/// What of a description fits in a reply; its whole length comes first.
struct described_part : fabric::request {
  std::uint64_t whole = 0;
  std::vector<std::byte> bytes;

  described_part() { on_reply = &keep; }
  static void keep(fabric::request& self, fabric::payload got) noexcept {
    auto& me = static_cast<described_part&>(self);
    if (got.size() < sizeof(me.whole)) return;
    std::memcpy(&me.whole, got.data(), sizeof(me.whole));
    me.bytes.assign(got.begin() + sizeof(me.whole), got.end());
  }
};

/// A type of which the thread knows nothing, to fetch a header with.
const type_descriptor& unknown_type() {
  static const type_descriptor made("unknown", 1, 1, {});
  return made;
}

std::vector<std::byte> fetch_description(const part& of, const world& world, std::uint32_t type,
                                         int home) {
  std::vector<std::byte> all;
  for (;;) {
    const describe_message header{of.id, type, static_cast<std::uint32_t>(all.size())};
    described_part pending;
    auto message = homes::message_to(world.context(), home, header);
    message.reply = &pending;
    message.reply_bytes = static_cast<std::uint32_t>(of.inline_bytes);
    world.context().send(message);
    world.context().wait(pending, {"the description of a type", home, {}});
    if (pending.bytes.empty()) throw_malformed("a rank does not know the type of its own object");
    all.insert(all.end(), pending.bytes.begin(), pending.bytes.end());
    if (all.size() >= pending.whole) return all;
  }
}

}  // namespace

void describe_message::receive(const std::shared_ptr<part>& of, const describe_message& header,
                               fabric::message& message) {
  std::vector<std::byte> reply(sizeof(std::uint64_t));
  {
    const std::scoped_lock lock(of->mutex);
    if (const type_descriptor* const type = of->types.find(header.type)) {
      const auto whole = description_of(*type);
      const std::uint64_t length = whole.size();
      std::memcpy(reply.data(), &length, sizeof(length));
      const std::size_t from = std::min<std::size_t>(header.from, whole.size());
      const std::size_t count = std::min(whole.size() - from, of->inline_bytes - reply.size());
      const auto first = whole.begin() + static_cast<std::ptrdiff_t>(from);
      reply.insert(reply.end(), first, first + static_cast<std::ptrdiff_t>(count));
    }
  }
  message.reply(reply);
}

std::uint32_t thread_access::type_id_of(place at, const type_descriptor* guess) {
  const bool may_be = at.offset() % granule == 0 && at.offset() >= sizeof(region_header);
  if (!may_be) throw_invalid("type_of", at);
  if (at.rank() == part_->rank) {
    if (!part_->heap.is_region(at.offset())) throw_invalid("type_of", at);
    return part_->heap.header_at(at.offset()).type;
  }
  std::uint32_t found = 0;
  if (part_->coherent) {
    const reach& r = me_->reaches[static_cast<std::size_t>(at.rank())];
    found = header_of_region(r.base + at.offset()).type;
  } else {
    std::unique_lock lock(part_->mutex);
    const copy* const c = part_->copies.find(at);
    if (c != nullptr && c->present) return c->type->id();
    found = try_acquire(lock, at, guess != nullptr ? *guess : unknown_type(), true).type;
  }
  if (found == 0) throw_invalid("type_of", at);
  return found;
}

const type_descriptor& thread_access::type_of(place at, const type_descriptor* guess) {
  check_place("type_of", at);
  const std::uint32_t id = type_id_of(at, guess);
  if (guess != nullptr && guess->id() == id) return *guess;
  {
    const std::scoped_lock lock(part_->mutex);
    if (const type_descriptor* const known = part_->types.find(id)) return *known;
  }
  auto described = parse_description(fetch_description(*part_, world_, id, at.rank()));
  if (described->descriptor().id() != id) throw_malformed("a description of another type");
  return part_->learn(std::move(described));
}

}  // namespace far::objects
