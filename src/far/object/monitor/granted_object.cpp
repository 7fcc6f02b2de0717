#include "far/object/monitor/granted_object.hpp"

#include <cstring>

#include "far/object/copy/packet_format.hpp"
#include "far/object/copy/packets.hpp"
#include "far/object/heap/words.hpp"
#include "far/object/part.hpp"
#include "far/object/thread_access.hpp"

namespace far::objects {

void append_object(part& of, std::uint64_t offset, int rank, std::vector<std::byte>& to) {
  const std::size_t bytes = of.bytes_of_region(offset);
  if (bytes > max_granted_bytes || !of.directory.grant_untracked(offset, rank)) return;
  alignas(8) std::array<std::byte, max_granted_bytes> data;
  load_words(data.data(), of.heap.data_at(offset), bytes);
  append(to, of.heap.header_at(offset));
  to.insert(to.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(bytes));
}

void pending_grant::keep(fabric::request& self, fabric::payload got) noexcept {
  auto& me = static_cast<pending_grant&>(self);
  constexpr std::size_t head = sizeof(monitor_answer) + sizeof(region_header);
  if (got.empty()) return;
  std::memcpy(&me.answer, got.data(), sizeof(me.answer));
  if (got.size() <= head || got.size() > max_bytes) return;
  std::memcpy(&me.object->header, got.data() + sizeof(me.answer), sizeof(region_header));
  me.object->bytes = got.size() - head;
  std::memcpy(me.object->data.data(), got.data() + head, me.object->bytes);
  me.has_object = true;
}

/// Whether a monitor of this object is to bring it. `changes`: null, or changes that the home makes
/// visible before. Under the mutex.
bool thread_access::wants_object(place at, const change_stream* changes) const {
  if (part_->coherent || at.rank() == part_->rank) return false;
  const copy* const c = part_->copies.find(at);
  if (c == nullptr) return true;
  const bool is_busy =
      c->busy != busy_with::nothing && (changes == nullptr || !changes->carries(c));
  return !c->kept && !is_busy;
}

/// What has come of a copy with the thread's monitor, if it may be used. Under the mutex.
const granted_object* thread_access::find_granted(const copy& c) const {
  const granted_object& g = me_->granted;
  const bool is_valid = g.place == c.at.bits() && g.asked >= c.begun && g.asked >= part_->forgotten;
  return is_valid ? &g : nullptr;
}

}  // namespace far::objects
