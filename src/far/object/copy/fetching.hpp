#pragma once
// Asking a home for a region. The request is a message. The home writes its reply one-sided into
// memory that the thread keeps for that, whole, and the request's completion signals it. The reply
// comes in messages of 8 KB instead if there is no such memory, if that is cheaper, or if the space
// says so.
//
// The reply does not land in the copy itself, because other threads of the rank may be writing
// that.
//
// Source: oo-dsm-rdma.txt, section 4. There the reader polls the last byte.

#include "far/object/messages.hpp"
#include "far/world/world.hpp"

namespace far::objects {

struct copy;
struct part;
struct thread_record;

/// What a home has answered. The data are valid until the thread's next fetch.
struct fetched_region {
  fetch_status status = fetch_status::nothing_there;
  region_header header{};
  const std::byte* data = nullptr;
  std::size_t bytes = 0;  ///< of the data, at least
};

/// Whether what has come for a copy fits in its memory, and in what the rank knows of it. Errors:
/// fabric_error.
void check_fetched(const copy& c, const fetched_region& got);

/// Fetches the region of a copy that is busy with it. Of another type than the copy's, only the
/// header. A change that comes between two messages may be in one and not in the other, which is no
/// more than if it came between two reads. Errors: rank_failed; fabric_error for replies that make
/// no sense.
[[nodiscard]] fetched_region fetch_region(const part& of, const world& world, thread_record& me,
                                          const copy& c);

}  // namespace far::objects
