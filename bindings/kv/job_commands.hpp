#pragma once
// Commands that ask all ranks.

#include <memory>

#include "bindings/kv/server.hpp"

namespace far::kv {

/// Carries out a request of the job. In a job of one rank answers at once: writes to `out`, and
/// returns true. Else asks all ranks, and the answer goes through `mail` to `to`.
bool ask_all_ranks(server& here, job_request what, const store_view& items, mailbox& mail,
                   output& out, const std::shared_ptr<pending_command>& to);

/// Counts the items of all ranks by size, for stats items and stats slabs. The answer goes through
/// `mail` to `to`. Cost: a visit to each item.
void ask_sizes(server& here, size_report what, mailbox& mail, std::shared_ptr<pending_command> to);

/// In the thread that asks other ranks: drops all items, and counts them in this rank's counts.
future<void> drop_all(server& here, const world& world, const store_view& items);

/// In the same thread: some items of a rank's part.
[[nodiscard]] future<listed_page> list_of_rank(const world& world, int rank, std::uint64_t cursor);

/// The reply to stats settings, without its end.
void write_settings(const server& here, output& out);

}  // namespace far::kv
