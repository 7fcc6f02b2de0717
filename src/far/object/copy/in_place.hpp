#pragma once
// Updates in place (E5): a home writes what has changed over a rank's copy and, if there is one,
// its twin, one-sided. No processor of that rank takes part, unless it keeps the copy closed.
//
// A write is a compare-and-swap that opens the copy's word, and a list of puts that is followed by
// a signal, which gives the word back (update_word.hpp). When that is acknowledged, the copy has
// the change. Where the home reaches the copy by instructions, it stores.
//
// If the copy cannot be opened, its rank is comparing or fetching it, has changes in flight, or no
// longer keeps it. Then the update goes as a message, and the rank decides (updates.hpp).
//
// Source: oo-dsm-rdma.txt, section 5.2, alternative 1 (figure 4). There, nothing keeps a comparison
// from running between the put to the copy and the put to its twin, and the writer writes all
// copies itself.

#include <cstdint>
#include <memory>
#include <vector>

#include "far/fabric/context.hpp"
#include "far/object/outbox.hpp"

namespace far::objects {

struct part;

/// Whether a write of these changes into a copy of a rank is worth it. Over UCX each word is a put;
/// as many as travel in one packet are.
[[nodiscard]] bool is_worth_writing(const part& of, int rank, const change_pieces& changes);

/// Starts a write. `mine`: null on a lane's context.
void start_write(part& of, fabric::context& context, copy_write&& write, thread_work* mine);

}  // namespace far::objects
