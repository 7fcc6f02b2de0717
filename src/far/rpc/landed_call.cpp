#include "far/rpc/landed_call.hpp"

namespace far::detail {

void reply_gathered(const caller& to, const gathered& data) {
  std::uint64_t room = 0;
  for (std::uint32_t i = 0; i < to.token.landing_count; ++i) room += to.token.landings[i].bytes;
  std::uint64_t bytes = 0;
  for (const fabric::gather& piece : data) bytes += piece.bytes;
  if (bytes != room) wire::throw_malformed("data that do not fill their landings");
  const std::array<std::byte, 1> status{static_cast<std::byte>(reply_status::value)};
  to.lane->reply(to.token, status, data);
}

}  // namespace far::detail
