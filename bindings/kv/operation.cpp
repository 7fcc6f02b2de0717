#include "bindings/kv/operation.hpp"

#include <utility>

namespace far::kv {

owned_operation::owned_operation(const operation& of) : op(of) {
  std::size_t size = of.request.key.size() + of.request.value.size();
  for (const std::string_view flag : of.flags) size += flag.size();
  bytes_.reserve(size);  // so that views of it stay
  const auto keep = [this](std::string_view bytes) {
    const std::size_t at = bytes_.size();
    bytes_.append(bytes);
    return std::string_view(bytes_).substr(at);
  };
  op.request.key = keep(of.request.key);
  op.request.value = keep(of.request.value);
  for (const std::string_view flag : of.flags) flags_.push_back(keep(flag));
  op.flags = flags_;
}

bool exchange::take(store_reply&& got, const operation& of) {
  if (is_renewing_) {
    // If the item has expired meanwhile, or at once, nobody else will win it.
    reply.won = got.won || got.status == store_status::absent;
    return false;
  }
  reply = std::move(got);
  if (of.renews_after == 0 || reply.status != store_status::done || reply.won || reply.is_won) {
    return false;
  }
  is_renewing_ = true;
  request_ = {};
  request_.key = of.request.key;
  request_.may_win = true;
  request_.renew_before = of.renews_after;
  request_.wants_value = false;
  request_.is_use = false;  // the first request was, if the client wanted that
  return true;
}

}  // namespace far::kv
