#pragma once
// Operations at the homes of keys: by instructions where they reach the home's part, else by calls
// (home_serves.hpp); reads also one-sided, or from copies.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "far/homes/registry.hpp"
#include "far/rma/future.hpp"
#include "far/store/copies.hpp"
#include "far/store/request.hpp"
#include "far/store/store_part.hpp"
#include "far/world/world.hpp"

namespace far::stores {

/// Carries out a request at its key's home, whatever way leads there.
[[nodiscard]] store_reply execute(const world& world, store_part& of, const store_request& asked);
[[nodiscard]] future<store_reply> execute_async(const world& world, store_part& of,
                                                const store_request& asked);

/// Reads an item at a home that is reached by instructions.
[[nodiscard]] std::optional<stored_item> read_here(const world& world, const store_part& of,
                                                   int home, key_hash hash, std::string_view key);
/// Reads an item at a home that is not reached by instructions: from a copy if this rank has one,
/// one-sided or by a call, as the policy says; read_remote_async never one-sided.
[[nodiscard]] std::optional<stored_item> read_remote(const world& world, store_part& of, int home,
                                                     std::string_view key);
[[nodiscard]] future<std::optional<stored_item>> read_remote_async(const world& world,
                                                                   store_part& of, int home,
                                                                   std::string_view key);

/// Many at once: one call of each home that is not reached by instructions.
[[nodiscard]] std::vector<std::optional<stored_item>> read_many(
    const world& world, store_part& of, std::span<const std::string_view> keys);
[[nodiscard]] std::vector<store_reply> execute_many(const world& world, store_part& of,
                                                    std::span<const store_request> asked);

[[nodiscard]] future<store_counts> counts_at(const world& world, store_part& of, int rank);
[[nodiscard]] future<void> reset_counts_at(const world& world, store_part& of, int rank);
[[nodiscard]] future<void> erase_all_at(const world& world, store_part& of, int rank);

}  // namespace far::stores
