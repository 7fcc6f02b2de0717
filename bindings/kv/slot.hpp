#pragma once
// A command of a connection that is answered later.

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "bindings/kv/protocol.hpp"

namespace far::kv {

class protocol::slot final : public pending_command, public std::enable_shared_from_this<slot> {
 public:
  /// On a key, with its hash.
  slot(protocol& owner, const operation& op, std::size_t hash, bool changes)
      : owner_(&owner),
        op_(std::in_place, op),
        exchange_(std::in_place, op_->op),
        hash_(hash),
        changes_(changes) {}
  /// Of the job; `end` follows what the job answers.
  slot(protocol& owner, std::string_view end) : owner_(&owner), end_(end) {}

  void start() { owner_->here_.start(exchange_->request(), shared_from_this()); }
  void finish(store_reply&& reply) override;
  void finish(std::string_view answer) override;
  void finish(const listed_page& page) override;
  /// The connection has ended.
  void forget() noexcept { owner_ = nullptr; }

  [[nodiscard]] bool is_done() const noexcept { return is_done_; }
  /// Whether all commands behind it must wait.
  [[nodiscard]] bool holds_all() const noexcept { return !op_ && !is_done_; }
  [[nodiscard]] bool conflicts(std::size_t hash, bool changes) const noexcept {
    return !is_done_ && hash == hash_ && (changes || changes_);
  }

  output text;    ///< its own reply
  output behind;  ///< those to the commands behind it, up to the next slot

 private:
  void finish();

  protocol* owner_;
  std::optional<owned_operation> op_;
  std::optional<exchange> exchange_;
  std::string_view end_;
  std::size_t hash_ = 0;
  bool changes_ = true;
  bool is_done_ = false;
};

}  // namespace far::kv
