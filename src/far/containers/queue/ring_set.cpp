#include "far/containers/queue/ring_set.hpp"

#include <string_view>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/hash.hpp"
#include "far/containers/queue/transferred_claims.hpp"
#include "far/team/agreement.hpp"

namespace far::containers {

ring_set::ring_set(const world& view, ptr<std::byte> slots, std::uint64_t capacity,
                   std::uint64_t slot_bytes, amo_domain domain, const char* type)
    : view_(view), slots_(slots), capacity_(capacity), slot_bytes_(slot_bytes) {
  try {
    cursors_ = allocate<ring_cursors>(view, 1, domain);
  } catch (const out_of_memory&) {
    deallocate(view, slots_.on(view.rank()));
    throw;
  }
  const std::string_view name(type);
  const std::uint64_t mine =
      base::hash_combine(base::hash_combine(base::hash_bytes(name.data(), name.size()), capacity),
                         cursors_.on(0).bits());
  if (detail::all_agree(view, mine)) return;
  deallocate(view, cursors_.on(view.rank()));
  deallocate(view, slots_.on(view.rank()));
  throw bad_argument(
      fmt::format("rank {} makes queues of {} values, but other ranks make another object: all "
                  "ranks must make distributed objects in the same order",
                  view.rank(), capacity));
}

ring_set::~ring_set() {
  scope_.leave(view_);
  try {
    forget_claims(view_, at(view_.rank()));
    deallocate(view_, cursors_.on(view_.rank()));
    deallocate(view_, slots_.on(view_.rank()));
  } catch (const std::exception&) {
    // The job has failed: its memory disappears with it.
  }
}

}  // namespace far::containers
